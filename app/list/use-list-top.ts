import { type RefObject, useRef } from "react";

/** `showTop` scrolls back to the start of the list, just below the sticky search bar, if it is above the viewport. */
export function useListTop(): { list: RefObject<HTMLDivElement | null>; showTop(): void } {
  const list = useRef<HTMLDivElement>(null);
  const showTop = () => {
    const top = list.current?.getBoundingClientRect().top ?? 0;
    if (top < 0) list.current?.scrollIntoView({ behavior: "instant" });
  };
  return { list, showTop };
}
