/** By then, Firefox has told screen readers about a new focus, even on a busy machine. */
export const FOCUS_REPORT_MS = 200;

/** Focuses a heading, by default the page's main heading. */
export function focusHeading(heading?: HTMLElement | null): void {
  const target = heading ?? document.querySelector<HTMLElement>("main h1");
  if (target) focusElement(target);
}

/** Focuses an element without scrolling. Makes it focusable if necessary. */
export function focusElement(element: HTMLElement): void {
  // Links and buttons are focusable already, and must stay in the tab order.
  if (!element.matches("a[href], button")) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/**
 * Focuses an element, or the first link in it, when content that contained the focus is replaced, and moves the selection
 * there. Screen readers read on from the selection if they have not followed the focus.
 */
export function focusInNewContent(element: HTMLElement): void {
  // With the focus before the link, Orca would either read on after it, or say nothing when Tab leads to the link.
  focusWithSelection(element.querySelector<HTMLElement>("a[href]") ?? element);
}

/** Focuses an element, and moves the selection from the content that has gone to the element's text. */
export function focusWithSelection(element: HTMLElement): void {
  focusElement(element);
  selectStart(element);
}

/**
 * Focuses an element, waits until screen readers have followed, and then calls `remove` for the content that had the focus.
 * The selection moves at the end: Orca says nothing about a focus if it hears of the selection first. Returns the timer.
 */
export function focusBeforeRemoval(element: HTMLElement, remove: () => void, waitMs = FOCUS_REPORT_MS) {
  focusElement(element);
  return setTimeout(() => {
    if (element === focusedElement()) selectStart(element);
    remove();
  }, waitMs);
}

function selectStart(element: HTMLElement): void {
  const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
  getSelection()?.collapse(text?.parentElement ?? element);
}

/**
 * Focuses a group of results, and moves the selection to the newest one. With the focus alone, the answer of a screen
 * reader to "where am I" is the group's name, without the result.
 */
export function focusResults(group: HTMLElement | null, newest = group?.lastElementChild): void {
  group?.focus();
  if (newest) getSelection()?.collapse(newest);
}

const HEADING = "h1, h2, h3";

/**
 * What to focus for a part of a page. For a card or the whole main part, it is the heading: screen readers don't read a
 * focused card, and go on after the heading of a focused main part. (Chromium then focuses the main part itself.)
 */
export function focusTarget(part: HTMLElement): HTMLElement {
  const hasHeading = part.matches("article, main");
  return (hasHeading ? part.querySelector<HTMLElement>(HEADING) : part.closest<HTMLElement>(HEADING)) ?? part;
}

/**
 * Whether code that runs after an `await` may move the focus. It may if no element has the focus or if the focus is
 * still in `container`. Otherwise, the user has moved on, and must not be interrupted.
 */
export function mayMoveFocus(container?: Element | null): boolean {
  const { activeElement, body } = document;
  return activeElement === body || container?.contains(activeElement) === true;
}

/** Returns the focused element, to compare after an `await`, or null if no element has the focus. */
export function focusedElement(): Element | null {
  const { activeElement, body } = document;
  return activeElement === body ? null : activeElement;
}
