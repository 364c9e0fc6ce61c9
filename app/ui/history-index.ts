import { useLayoutEffect } from "react";
import { useLocation } from "react-router";

/** The index that React Router keeps in the state of the current history entry, or undefined if the entry has none. */
export function historyIndex(): number | undefined {
  return (history.state as { idx?: number } | null)?.idx;
}

/** The index of the entry that the page shows. */
let currentIndex = 0;

/** Whether React Router has blocked Back or Forward and is returning to the entry that the page shows. */
let isReturning = false;
let returnTimer: ReturnType<typeof setTimeout> | undefined;

/** Several quick presses of Back arrive as separate events. Return once the last one has arrived. */
const RETURN_AFTER_MS = 50;

/** Prepares the history for `useBlocker`. Call this before React Router adds its own listener. */
export function watchHistory(): void {
  addEventListener("popstate", (event) => {
    if (historyIndex() === undefined) indexTypedFragment();
    else if (isReturning) finishReturn(event);
  });
}

/**
 * Gives an index to the history entry of a fragment that the reader has typed into the address bar. Without an index,
 * `useBlocker` can't block Back and Forward.
 */
function indexTypedFragment(): void {
  // Count the entry as shown immediately, because the reader may type the next fragment before React renders.
  currentIndex++;
  history.replaceState({ idx: currentIndex }, "");
}

/** Call this when Back or Forward is blocked. React Router then returns, but only by the steps of the first event. */
export function expectReturn(): void {
  isReturning = true;
}

/** Hides entries other than the shown one from React Router until the browser has returned to the shown one. */
function finishReturn(event: PopStateEvent): void {
  clearTimeout(returnTimer);
  if (historyIndex() === currentIndex) {
    isReturning = false;
    return;
  }
  event.stopImmediatePropagation();
  returnTimer = setTimeout(
    () => history.go(currentIndex - (historyIndex() ?? currentIndex)),
    RETURN_AFTER_MS,
  );
}

export function useCurrentIndex(): void {
  const location = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation changes the index in history.state
  useLayoutEffect(() => {
    currentIndex = historyIndex() ?? currentIndex;
  }, [location]);
}
