import { createContext, useContext } from "react";

/** Around a form that only keeps the place of another. */
export const KeepsPlace = createContext(false);

const AS_WIDE = "\u2007";

/** Words of a form. Where only its place is kept they take their room and say nothing: visitors are shown no form. */
export function FormText({ children }: { children: string }) {
  return useContext(KeepsPlace) ? children.replace(/\S/g, AS_WIDE) : children;
}
