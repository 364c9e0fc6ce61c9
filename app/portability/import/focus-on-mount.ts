import { isFocusFree } from "../../ui/focus.ts";

/** A ref callback for an element that replaces the control that had the focus. */
export function focusOnMount(element: HTMLElement | null): void {
  if (isFocusFree(element?.closest("section"))) element?.focus({ preventScroll: true });
}
