import { parse } from "./grammar.ts";

export interface SelectedColumn {
  column: string;
  alias: string | undefined;
}

/** Rows of another table that are embedded in each row, as in `alias:target!hint!inner(columns)`. */
export interface Embed {
  target: string;
  alias: string | undefined;
  hint: string | undefined;
  inner: boolean;
  /** `count()` is the number of rows, and so is `count` if the table has no such column. */
  columns: SelectedColumn[];
}

export interface Select {
  columns: SelectedColumn[];
  embeds: Embed[];
}

/**
 * Rejects PostgREST's casts, JSON paths, spreads, and aggregates except counts. Throws RestError PGRST100, PGRST123 or
 * PGRST127.
 */
export function parseSelect(text: string): Select {
  return parse("Select", "select parameter", text || "*");
}
