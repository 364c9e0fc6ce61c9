import { useRef } from "react";

/** If the start of the list is above the viewport, `scrollToList` brings it to just below the sticky search bar. */
export function useScrollToList() {
  const listRef = useRef<HTMLDivElement>(null);
  function scrollToList() {
    const top = listRef.current?.getBoundingClientRect().top ?? 0;
    if (top < 0) listRef.current?.scrollIntoView({ behavior: "instant" });
  }
  return { listRef, scrollToList };
}
