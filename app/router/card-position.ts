const STORAGE_KEY = "techfolio.kept-cards";

/** The card that a reader opened or, otherwise, the topmost visible one when they left a history entry. */
export interface CardPosition {
  id: string;
  /** The card's distance from the top of the viewport, in pixels. */
  top: number;
}

function readAll(): Record<string, CardPosition> {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "{}");
  } catch {
    return {};
  }
}

/** @param key the key of the history entry (`useLocation().key`) */
export const cardPosition = (key: string): CardPosition | undefined => readAll()[key];

export function keepCardPosition(key: string, card: CardPosition): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ ...readAll(), [key]: card }));
  } catch {
    // Storage is full or unavailable, so Back restores only the scroll position.
  }
}
