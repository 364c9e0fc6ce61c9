/** The page's own heading where no other is there. */
export function focusHeading(other?: HTMLElement | null): void {
  const heading = other ?? document.querySelector<HTMLElement>("main h1");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
