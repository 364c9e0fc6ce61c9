/** A ref for what takes the place of the control that had the focus. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
}
