/** Focuses a heading, by default the page's main heading. */
export function focusHeading(heading?: HTMLElement | null): void {
  const target = heading ?? document.querySelector<HTMLElement>("main h1");
  if (!target) return;
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/** Whether async work may move the focus: no element has it, or it is still in `container`. */
export function isFocusFree(container?: Element | null): boolean {
  const { activeElement, body } = document;
  return activeElement === body || container?.contains(activeElement) === true;
}
