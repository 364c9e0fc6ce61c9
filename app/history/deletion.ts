import type { RestoreOutcome, restoreRow } from "./versions.ts";

/** The place of the notice about a deletion: the top of the page, or the list that contained the item. */
export type NoticePlace = "page" | "cards" | "skills" | "pictures";

export interface Deletion {
  title: string;
  /** The `id` of the row's card or list item. After Undo, its heading or first button gets the focus. */
  id: string;
  place: NoticePlace;
  /** In a list of cards, the id of the card after which the notice is shown. Undefined for the start of the list. */
  previousId?: string | undefined;
  /**
   * Restores the deleted row. Never throws.
   * The notice passes `restoreRow` as `insert`, because content pages load its code only with the notice.
   */
  restore(insert: typeof restoreRow): Promise<RestoreOutcome>;
  /** Called after the row has been restored. Makes the page show it. */
  onRestored(): Promise<void>;
}
