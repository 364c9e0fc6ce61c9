import { mayMoveFocus, READER_FOLLOWS_MS } from "../ui/focus.ts";

/** A ref callback that moves the focus to an element that has replaced the focused control. */
export function focusOnMount(element: HTMLElement | null): void {
  if (mayMoveFocus(element?.closest("section"))) element?.focus({ preventScroll: true });
}

/** The same for what appears after a file dialog. Orca says nothing about a focus that arrives with the window's own. */
export function focusAfterFileDialog(element: HTMLElement | null) {
  const before = document.activeElement;
  const timer = setTimeout(() => {
    if (document.activeElement === before) focusOnMount(element);
  }, READER_FOLLOWS_MS);
  return () => clearTimeout(timer);
}
