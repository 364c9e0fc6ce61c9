import { type RefObject, useRef } from "react";

/** Scrolls new results into view below the sticky search bar. */
export function useListTop(): { list: RefObject<HTMLDivElement | null>; showTop(): void } {
  const list = useRef<HTMLDivElement>(null);
  const showTop = () => {
    const top = list.current?.getBoundingClientRect().top ?? 0;
    if (top < 0) list.current?.scrollIntoView({ behavior: "instant" });
  };
  return { list, showTop };
}
