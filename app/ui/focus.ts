/** The page's own heading where no other is there. */
export function focusHeading(other?: HTMLElement | null): void {
  const heading = other ?? document.querySelector<HTMLElement>("main h1");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** Whether the focus may be moved once work is done: it is nowhere or still in `place`, and nobody types elsewhere. */
export function isFocusFree(place?: Element | null): boolean {
  const { activeElement, body } = document;
  return activeElement === body || place?.contains(activeElement) === true;
}
