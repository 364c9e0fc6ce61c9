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
  columns: SelectedColumn[];
}

export interface Select {
  columns: SelectedColumn[];
  embeds: Embed[];
}

/** Rejects PostgREST's casts, JSON paths, aggregates and spreads. Throws RestError PGRST100 or PGRST127. */
export function parseSelect(text: string): Select {
  return parse("Select", "select parameter", text || "*");
}
