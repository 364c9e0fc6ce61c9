import { flushSync } from "react-dom";

/** Keeps the first of these elements on the screen where it is while others come or go: Safari anchors no scrolling. */
export function withoutMoving(elements: Iterable<Element>, change: () => void): void {
  const element = [...elements].find((each) => each.getBoundingClientRect().bottom > 0);
  const top = element?.getBoundingClientRect().top ?? 0;
  flushSync(change);
  const moved = element?.isConnected ? element.getBoundingClientRect().top - top : 0;
  if (Math.abs(moved) >= 1) scrollBy({ top: moved, behavior: "instant" });
}
