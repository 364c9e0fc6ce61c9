import type { RestoreOutcome } from "../data/versions.ts";

export interface Deletion {
  title: string;
  /** The `id` of the element that shows it again after Undo. */
  id: string;
  /** Puts back what was deleted. Never throws. */
  restore(): Promise<RestoreOutcome>;
  /** The element whose end the notice takes. Without it, or once it is gone, the notice is at the top of the page. */
  place?: Element | null | undefined;
  /** Shows the restored row. */
  onRestored(): Promise<void>;
}
