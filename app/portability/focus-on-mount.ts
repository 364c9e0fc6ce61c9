import { mayMoveFocus } from "../ui/focus.ts";

/** A ref callback that moves the focus to an element that has replaced the focused control. */
export function focusOnMount(element: HTMLElement | null): void {
  if (mayMoveFocus(element?.closest("section"))) element?.focus({ preventScroll: true });
}
