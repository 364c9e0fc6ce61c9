export const SCROLL_POSITIONS_KEY = "techfolio.scroll-positions";

/**
 * `<ScrollRestoration>` restores the position of a reloaded page before hydration and once more during it. Readers who
 * have scrolled in between must not be moved, so this replaces the stored position with the current one.
 */
export function storeScrollPosition(): void {
  try {
    const positions = JSON.parse(sessionStorage.getItem(SCROLL_POSITIONS_KEY) ?? "{}");
    const { key = "default" } = (history.state ?? {}) as { key?: string };
    if (!(key in positions)) return;
    positions[key] = scrollY;
    sessionStorage.setItem(SCROLL_POSITIONS_KEY, JSON.stringify(positions));
  } catch {
    // Storage is unavailable.
  }
}
