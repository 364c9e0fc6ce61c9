import { notImplemented, unreadable } from "../rest-error.ts";
import { type Scanner, scan } from "./scanner.ts";

/** The one name in a statement that is not the schema cache's own, so nothing but a plain word will do. */
const ALIAS = /^[\p{L}_][\p{L}\p{N}_]*$/u;
const MAX_NAME_BYTES = 63;

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
  const select = scan(text, "select parameter", (scanner) => readItems(scanner, 0));
  checkOnce(select.columns);
  for (const embed of select.embeds) checkOnce(embed.columns);
  if (select.columns.length + select.embeds.length === 0)
    select.columns.push({ column: "*", alias: undefined });
  return select;
}

// Aliases of one long text would multiply the response.
function checkOnce(columns: SelectedColumn[]): void {
  const names = new Set(columns.map(({ column }) => column));
  if (names.size < columns.length || (names.size > 1 && names.has("*")))
    throw unreadable("A column can be selected once");
}

function readItems(scanner: Scanner, depth: number): Select {
  const select: Select = { columns: [], embeds: [] };
  if (!scanner.done && !scanner.sees(")")) scanner.list(() => readItem(scanner, depth, select));
  return select;
}

function readItem(scanner: Scanner, depth: number, select: Select): void {
  if (scanner.take("*")) {
    select.columns.push({ column: "*", alias: undefined });
    return;
  }
  const { name, alias } = readName(scanner);
  if (scanner.sees("!") || scanner.sees("(")) {
    select.embeds.push(readEmbed(scanner, depth, name, alias));
    return;
  }
  if (!scanner.done && !scanner.sees(",") && !scanner.sees(")"))
    throw scanner.unexpected('")", "," or end of input');
  select.columns.push({ column: name, alias });
}

function readName(scanner: Scanner): { name: string; alias: string | undefined } {
  const first = scanner.name();
  if (scanner.sees("::") || !scanner.take(":")) return { name: first, alias: undefined };
  if (!ALIAS.test(first) || Buffer.byteLength(first) > MAX_NAME_BYTES)
    throw unreadable("An alias is one short word");
  return { name: scanner.name(), alias: first };
}

function readEmbed(scanner: Scanner, depth: number, target: string, alias: string | undefined): Embed {
  let hint: string | undefined;
  let inner = false;
  while (scanner.take("!")) {
    const word = scanner.name();
    if (word === "inner") inner = true;
    else if (word !== "left") hint = word;
  }
  scanner.expect("(");
  if (depth > 0) throw notImplemented("Resources can be embedded one level deep");
  const { columns } = readItems(scanner, depth + 1);
  scanner.expect(")");
  return { target, alias, hint, inner, columns };
}
