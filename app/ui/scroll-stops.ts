import { type RefObject, useEffect } from "react";

const SCROLLERS = "pre, .table-scroll";

/** One observer for all, because a list may have thousands of code blocks. */
const observer =
  typeof ResizeObserver === "undefined"
    ? null
    : new ResizeObserver((entries) => {
        const boxes = entries.map(({ target }) => target as HTMLElement);
        // Measure all before any change: each change forces a layout.
        const scrolls = boxes.map(isScrolling);
        for (const [index, box] of boxes.entries()) mark(box, scrolls[index] === true);
      });

const isScrolling = (box: HTMLElement) =>
  box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;

function mark(box: HTMLElement, scrolls: boolean): void {
  if (!scrolls) {
    for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
    return;
  }
  box.tabIndex = 0;
  box.role = "group";
  box.ariaLabel = box.matches("pre") ? "Listing" : "Table";
}

export function useScrollStops(ref: RefObject<HTMLElement | null>, content: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other content has other boxes
  useEffect(() => {
    const element = ref.current;
    const around = element?.closest<HTMLElement>(SCROLLERS);
    const boxes = [...(element?.querySelectorAll<HTMLElement>(SCROLLERS) ?? []), ...(around ? [around] : [])];
    for (const box of boxes) {
      // Assume that it scrolls until it is measured: boxes far from the viewport aren't laid out.
      mark(box, true);
      observer?.observe(box);
    }
    return () => {
      for (const box of boxes) observer?.unobserve(box);
    };
  }, [ref, content]);
}
