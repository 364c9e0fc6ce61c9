const STORAGE_KEY = "techfolio.kept-positions";

/** Back rarely goes further. Without a limit, the storage of a tab that stays open would fill up. */
const MAX_POSITIONS = 50;

/** The reader's position in a history entry when they left it. */
export interface KeptPosition {
  /** The link in the page's main part that the reader followed. Undefined if they left by another way. */
  href?: string | undefined;
  /** The card that contains the link or, otherwise, the topmost visible card. */
  cardId?: string | undefined;
  /** The card's distance from the top of the viewport, in pixels. */
  cardTop?: number | undefined;
}

function readAll(): Record<string, KeptPosition> {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "{}");
  } catch {
    return {};
  }
}

function writeAll(positions: Record<string, KeptPosition>): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(positions));
  } catch {
    // Storage is full or unavailable, so Back restores only the scroll position.
  }
}

/** @param key the key of the history entry (`useLocation().key`) */
export const keptPosition = (key: string): KeptPosition | undefined => readAll()[key];

export function keepPosition(key: string, position: KeptPosition): void {
  const { [key]: _, ...others } = readAll();
  const newest = Object.entries(others).slice(1 - MAX_POSITIONS);
  writeAll({ ...Object.fromEntries(newest), [key]: position });
}

/** Forgets where the reader was in an entry. Call this while the entry is shown: only entries that were left have one. */
export function dropPosition(key: string): void {
  const { [key]: dropped, ...others } = readAll();
  if (dropped) writeAll(others);
}
