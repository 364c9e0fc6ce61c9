import { isFocusFree } from "../../ui/focus.ts";

/** A ref for an element that replaces the focused control. */
export function focusOnMount(element: HTMLElement | null): void {
  if (isFocusFree(element?.closest("section"))) element?.focus({ preventScroll: true });
}
