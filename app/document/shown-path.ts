let path: string | undefined;

/**
 * Returns the path of the page on the screen, or undefined before hydration. `location` can't replace it: after Back or
 * Forward, `location` contains the next page's path while that page is still loading.
 */
export const shownPath = (): string | undefined => path;

/**
 * The path is not React state, because client loaders need it too, and because React Router remounts the document for
 * error pages, which would reset the state.
 */
export function setShownPath(next: string): void {
  path = next;
}
