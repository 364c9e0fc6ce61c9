let path: string | undefined;

/**
 * Returns the path of the page on the screen, or undefined before hydration. After Back or Forward, `location` already
 * contains the path of the next page.
 */
export const shownPath = (): string | undefined => path;

/** Not React state, because client loaders read it, and because React Router remounts the document for error pages. */
export function setShownPath(next: string): void {
  path = next;
}
