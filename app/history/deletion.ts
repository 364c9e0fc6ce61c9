import type { ContentTable } from "../data/content-reads.ts";
import type { StoredRow } from "../data/versions.ts";

export interface Deletion {
  title: string;
  table: Pick<ContentTable, "table" | "owner">;
  row: StoredRow;
  /** The element whose end the notice takes. Without it, or once it is gone, the notice is at the top of the page. */
  place?: Element | null | undefined;
  /** Shows the restored row. */
  onRestored(): Promise<void>;
}
