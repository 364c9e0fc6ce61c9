import { type RefObject, useEffect } from "react";

const SCROLLERS = "pre, .table-scroll";

/** All boxes share one observer, because a list may have thousands of code blocks. */
const observer =
  typeof ResizeObserver === "undefined"
    ? null
    : new ResizeObserver((entries) => {
        const boxes = entries.map(({ target }) => target as HTMLElement);
        // Measure all boxes before changing any, because measuring after a change forces a new layout.
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
  box.ariaLabel = box.matches("pre") ? "Code" : "Table";
}

/** Makes boxes that scroll focusable, so that they can be scrolled with the keyboard. */
export function useScrollStops(ref: RefObject<HTMLElement | null>, content: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: new content contains new boxes
  useEffect(() => {
    const element = ref.current;
    const outer = element?.closest<HTMLElement>(SCROLLERS);
    const boxes = [...(element?.querySelectorAll<HTMLElement>(SCROLLERS) ?? []), ...(outer ? [outer] : [])];
    for (const box of boxes) {
      // Assume that a box scrolls until it is measured.
      mark(box, true);
      observer?.observe(box);
    }
    return () => {
      for (const box of boxes) observer?.unobserve(box);
    };
  }, [ref, content]);
}
