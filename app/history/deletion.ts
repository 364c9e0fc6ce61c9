import type { RestoreOutcome } from "../data/versions.ts";

export interface Deletion {
  title: string;
  /** The `id` of the element that shows the row after Undo. */
  id: string;
  /** Restores the deleted row. Never throws. */
  restore(): Promise<RestoreOutcome>;
  /** The notice is shown at the end of this element, or at the top of the page if it is missing or removed. */
  place?: Element | null | undefined;
  /** Shows the restored row. */
  onRestored(): Promise<void>;
}
