import type { RestoreOutcome, restoreRow } from "./versions.ts";

export interface Deletion {
  title: string;
  /** The `id` of the element that shows the row again after Undo. */
  id: string;
  /** Restores the deleted row. Receives `restoreRow`, which pages load only with the notice. Never throws. */
  restore(insert: typeof restoreRow): Promise<RestoreOutcome>;
  /** The element to show the notice in. Without it, or once it is removed, the notice appears at the top of the page. */
  noticeContainer?: Element | null | undefined;
  /** Shows the restored row. */
  onRestored(): Promise<void>;
}
