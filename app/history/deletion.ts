import type { RestoreOutcome } from "./versions.ts";

/** The place of the notice about a deletion: the top of the page, or the list that contained the row. */
export type NoticePlace = "page" | "cards" | "items" | "skills" | "pictures";

/**
 * A subject of all deletions: they run in the order of their starts, because the notice about each one replaces the notice
 * about the one before.
 */
export const DELETIONS = "deletions";

export interface Deletion {
  /** The row's title or name or, for several rows, their number in words. */
  title: string;
  /** The number of deleted rows, if there can be several. */
  count?: number;
  /** Whether the notice takes the focus, because the row that disappears had it. */
  takesFocus: boolean;
  /** The `id` of the row's card or list item. After Undo, its heading or first button gets the focus. */
  id: string;
  place: NoticePlace;
  /** In a list of cards, the id of the card after which the notice is shown. Undefined for the start of the list. */
  previousId?: string | undefined;
  /** The path of the page that opens after the deletion. The notice stays visible on it. */
  leadsTo?: string;
  /** Restores the deleted row. Never throws. */
  restore(): Promise<RestoreOutcome>;
}

/** Returns the deleted item's title in quotes, or the number of deleted items, for a sentence. */
export const nameOfDeletion = ({ title, count = 1 }: Pick<Deletion, "title" | "count">): string =>
  count > 1 ? title : `"${title}"`;
