import type { RestoreOutcome } from "./versions.ts";

/** The place of the notice about a deletion: the top of the page, or the list that contained the row. */
export type NoticePlace = "page" | "cards" | "skills" | "pictures";

export interface Deletion {
  title: string;
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
