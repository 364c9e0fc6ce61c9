import { notImplemented, unreadable } from "../rest-error.ts";
import { type Condition, countTests, parseFilter, parseGroup } from "./filters.ts";
import { type OrderTerm, parseOrder } from "./order.ts";
import type { Parameter } from "./parameters.ts";
import { type Page, parseCount } from "./range.ts";
import { Scanner } from "./scanner.ts";
import { parseSelect, type Select } from "./select.ts";

// The longest search of the site has 21.
const MAX_TESTS = 25;

/** Which rows of one table are wanted, and in what order. */
export interface Rows extends Page {
  where: Condition[];
  order: OrderTerm[];
}

/** What the query part of an address says. */
export interface Query extends Rows {
  select: Select;
  /** Rows of embedded resources, by the name that stands before the dot: `skills.order=name`. */
  embedded: Map<string, Rows>;
  /** The fields to write, if the address lists them. */
  columns: string[] | undefined;
  /** The columns of the unique constraint that an upsert meets. */
  onConflict: string[] | undefined;
}

/** Takes the parameters of an address, returns what they say. Of `select`, `order` and the like the first counts. Throws RestError PGRST100, PGRST103, PGRST127. */
export function parseQuery(parameters: Parameter[]): Query {
  const first = new Map<string, string>();
  const filters: Parameter[] = [];
  for (const [name, value] of parameters) {
    if (!isReserved(name)) filters.push([name, value]);
    else if (!first.has(name)) first.set(name, value);
  }
  const query: Query = {
    ...emptyRows(),
    select: parseSelect(first.get("select") ?? "*"),
    embedded: new Map(),
    columns: parseNames("columns", first.get("columns")),
    onConflict: parseNames("on_conflict", first.get("on_conflict")),
  };
  for (const [name, value] of [...first, ...filters]) addParameter(query, name, value);
  const all = [query, ...query.embedded.values()];
  if (all.reduce((sum, { where }) => sum + countTests(where), 0) > MAX_TESTS) {
    throw unreadable(`The address holds more than ${MAX_TESTS} filters`);
  }
  return query;
}

const WHOLE = new Set(["select", "columns", "on_conflict"]);
const PER_RESOURCE = new Set(["order", "limit", "offset"]);

/** True of `select`, `order` and the like, which are about the answer, not about a column. */
export function isReserved(name: string): boolean {
  return WHOLE.has(name) || PER_RESOURCE.has(name.slice(name.lastIndexOf(".") + 1));
}

function addParameter(query: Query, name: string, value: string): void {
  if (WHOLE.has(name)) return;
  const path = parsePath(name);
  const last = path.pop() ?? "";
  const negated = (last === "and" || last === "or") && path.at(-1) === "not";
  if (negated) path.pop();
  const rows = rowsAt(query, path);
  if (last === "order") rows.order = parseOrder(value);
  else if (last === "limit" || last === "offset") rows[last] = parseCount(last, value);
  else if (last === "and" || last === "or") rows.where.push(parseGroup(last, negated, value));
  else rows.where.push(parseFilter(last, value));
}

function rowsAt(query: Query, path: string[]): Rows {
  const [name, ...deeper] = path;
  if (name === undefined) return query;
  if (deeper.length > 0) throw notImplemented("Resources can be embedded one level deep");
  const rows = query.embedded.get(name) ?? emptyRows();
  query.embedded.set(name, rows);
  return rows;
}

function emptyRows(): Rows {
  return { where: [], order: [], limit: undefined, offset: 0 };
}

function parsePath(name: string): string[] {
  const scanner = new Scanner(name, "tree path");
  const path = [scanner.name()];
  while (scanner.take(".")) path.push(scanner.name());
  if (scanner.sees("->")) throw notImplemented("JSON paths are not supported");
  scanner.expectEnd();
  return path;
}

function parseNames(what: string, text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const scanner = new Scanner(text, `${what} parameter`);
  const names = new Set<string>();
  do {
    scanner.skipBlanks();
    names.add(scanner.name());
    scanner.skipBlanks();
  } while (scanner.take(","));
  scanner.expectEnd();
  return [...names];
}
