import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** False on the server and while the document hydrates: for what needs scripts and is absent without them. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
