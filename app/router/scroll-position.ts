export const SCROLL_POSITIONS_KEY = "techfolio.scroll-positions";

/**
 * Replaces the stored scroll position with the current one. `<ScrollRestoration>` restores the stored position before
 * hydration and again during it, which would undo the scrolling of readers who have scrolled in between.
 */
export function storeScrollPosition(): void {
  try {
    const positions = JSON.parse(sessionStorage.getItem(SCROLL_POSITIONS_KEY) ?? "{}");
    const { key = "default" } = (history.state ?? {}) as { key?: string };
    if (!(key in positions)) return;
    positions[key] = scrollY;
    sessionStorage.setItem(SCROLL_POSITIONS_KEY, JSON.stringify(positions));
  } catch {
    // Storage is unavailable, so it contains nothing to replace.
  }
}
