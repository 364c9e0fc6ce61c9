import { type RefObject, useRef } from "react";

/** If the start of the list is above the viewport, `showTop` scrolls to it, just below the sticky search bar. */
export function useListTop(): { list: RefObject<HTMLDivElement | null>; showTop(): void } {
  const list = useRef<HTMLDivElement>(null);
  const showTop = () => {
    const top = list.current?.getBoundingClientRect().top ?? 0;
    if (top < 0) list.current?.scrollIntoView({ behavior: "instant" });
  };
  return { list, showTop };
}
