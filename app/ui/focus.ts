/** Focuses the given heading, or else the page's main heading. */
export function focusHeading(other?: HTMLElement | null): void {
  const heading = other ?? document.querySelector<HTMLElement>("main h1");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** Whether moving the focus after async work is safe: it is nowhere or still in `place`. */
export function isFocusFree(place?: Element | null): boolean {
  const { activeElement, body } = document;
  return activeElement === body || place?.contains(activeElement) === true;
}
