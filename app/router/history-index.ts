import { useLayoutEffect } from "react";
import { type ShouldRevalidateFunction, useLocation, useNavigate } from "react-router";

/** The index that React Router keeps in the state of the current history entry, or undefined if the entry has none. */
export function historyIndex(): number | undefined {
  return (history.state as { idx?: number } | null)?.idx;
}

/** The index of the entry that the page shows. */
let currentIndex = 0;
/** Whether the browser is returning to that entry. */
let isReturning = false;

/**
 * Gives an index to the history entries of fragments that readers type into the address bar. Without an index,
 * `useBlocker` can't block Back and Forward. Call this before React Router adds its own listener, which reads it.
 */
export function indexTypedFragments(): void {
  addEventListener("popstate", () => {
    if (historyIndex() !== undefined) return;
    // Count the entry as shown immediately, because the reader may type the next fragment before React renders.
    currentIndex++;
    history.replaceState({ idx: currentIndex }, "");
  });
}

export function useCurrentIndex(): void {
  const location = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation changes the index in history.state
  useLayoutEffect(() => {
    currentIndex = historyIndex() ?? currentIndex;
    isReturning = false;
  }, [location]);
}

/**
 * After a blocked Back or Forward, returns to the history entry of the page that is still shown. React Router does this
 * too, but by only one step, which is not enough if the reader went back twice quickly.
 */
export function returnToCurrentEntry(): void {
  const index = historyIndex();
  if (index === undefined || index === currentIndex) return;
  isReturning = true;
  history.go(currentIndex - index);
}

/**
 * For pages with a form. Returning to the page that is still shown loads nothing: the end of a load would close a dialog
 * about unsaved changes that has been opened meanwhile.
 */
export const revalidateUnlessReturning: ShouldRevalidateFunction = ({ defaultShouldRevalidate }) =>
  defaultShouldRevalidate && !isReturning;

/**
 * Returns a function that ends a pending navigation. React Router ends it only for another one, so the function replaces
 * the current entry with itself, without loading its data.
 */
export function useCancelNavigation(): () => void {
  const navigate = useNavigate();
  const location = useLocation();
  const replaceWithItself = () =>
    void navigate(location, {
      replace: true,
      state: location.state,
      preventScrollReset: true,
      defaultShouldRevalidate: false,
    });
  return () => {
    if (historyIndex() === currentIndex) return replaceWithItself();
    // After Back or Forward, the browser already shows the URL of the other entry. Returning would load the data again.
    addEventListener("popstate", replaceWithItself, { once: true });
    returnToCurrentEntry();
  };
}
