import { unreadable } from "../rest-error.ts";
import { parse } from "./grammar.ts";

export interface SelectedColumn {
  column: string;
  alias: string | undefined;
}

/** Another table's rows inside each row: `alias:target!hint!inner(columns)`. */
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

/** No casts, JSON paths, aggregates or spreads (decision 038). Throws RestError PGRST100 or PGRST127. */
export function parseSelect(text: string): Select {
  const items = parse<(SelectedColumn | Embed)[]>("Select", "select parameter", text || "*");
  const columns = items.filter((item) => "column" in item);
  const embeds = items.filter((item) => "target" in item);
  checkOnce(columns);
  for (const embed of embeds) checkOnce(embed.columns);
  return { columns, embeds };
}

// Aliases of one long text would multiply the response.
function checkOnce(columns: SelectedColumn[]): void {
  const names = new Set(columns.map(({ column }) => column));
  if (names.size < columns.length || (names.size > 1 && names.has("*")))
    throw unreadable("A column can be selected once");
}
