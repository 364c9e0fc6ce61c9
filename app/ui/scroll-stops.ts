import { type RefObject, useEffect } from "react";

const SCROLLERS = "pre, .table-scroll, [data-scrolls]";

/** Shared: a list may hold thousands of blocks of code. */
const observer =
  typeof ResizeObserver === "undefined"
    ? null
    : new ResizeObserver((entries) => {
        for (const { target } of entries) mark(target as HTMLElement);
      });

function mark(box: HTMLElement): void {
  if (box.scrollWidth <= box.clientWidth && box.scrollHeight <= box.clientHeight) {
    for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
    return;
  }
  box.tabIndex = 0;
  box.role = "group";
  box.ariaLabel = box.dataset["scrolls"] ?? (box.matches("pre") ? "Code" : "Table");
}

/** Lets the keyboard reach the boxes inside or around `ref` that really scroll, and only those. */
export function useScrollStops(ref: RefObject<HTMLElement | null>, content: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other content has other boxes
  useEffect(() => {
    const element = ref.current;
    const around = element?.closest<HTMLElement>(SCROLLERS);
    const boxes = [...(element?.querySelectorAll<HTMLElement>(SCROLLERS) ?? []), ...(around ? [around] : [])];
    for (const box of boxes) observer?.observe(box);
    return () => {
      for (const box of boxes) observer?.unobserve(box);
    };
  }, [ref, content]);
}
