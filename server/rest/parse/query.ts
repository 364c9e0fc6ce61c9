import { LIMITS } from "../../config/limits.ts";
import { badRange, excerpt, notImplemented, RestError, unreadable } from "../rest-error.ts";
import {
  countConditions,
  type Filter,
  parse,
  parseFilter,
  parseGroup,
  parseSelect,
  type Select,
} from "./grammar.ts";
import type { Page } from "./headers.ts";

const { urlCharacters, filters: maxFilters } = LIMITS.data;

export type Parameter = [name: string, value: string];

export interface OrderTerm {
  column: string;
  /** The name of the embedded resource that has the column. */
  related: string | undefined;
  /** SQL from the grammar, such as ` desc nulls last`. */
  direction: string;
}

export interface ResourceQuery extends Page {
  filters: Filter[];
  order: OrderTerm[];
}

/** The parameters of a URL. Those that it lacks are undefined or empty. */
export interface Query {
  select: Select | undefined;
  filters: Filter[];
  order: OrderTerm[] | undefined;
  limit: number | undefined;
  offset: number | undefined;
  /** Queries of embedded resources, by the name before the dot, as in `skills.order=name`. */
  embedded: Map<string, ResourceQuery>;
  columns: string[] | undefined;
  onConflict: string[] | undefined;
}

const SINGLE = /^(.+\.)?(select|order|limit|offset|columns|on_conflict)$/;

/**
 * Returns the query parameters of a URL. Rejects NUL characters, which PostgreSQL can't store, and invalid UTF-8, which
 * URLSearchParams would turn into U+FFFD. Throws RestError.
 */
export function readParameters(url: string): Parameter[] {
  if (url.length > urlCharacters) {
    throw new RestError(414, "PGRST100", `The URL is longer than ${urlCharacters} characters`);
  }
  let decoded: string;
  try {
    decoded = decodeURIComponent(url);
  } catch {
    throw unreadable("The URL is not valid UTF-8");
  }
  if (decoded.includes("\0")) throw unreadable("The URL contains a NUL character");
  return [...new URL(url).searchParams];
}

export function parseQuery(parameters: Parameter[]): Query {
  requireSingle(parameters.map(([name]) => name).filter((name) => SINGLE.test(name)));
  const first = (parameter: string) => parameters.find(([name]) => name === parameter)?.[1];
  const select = first("select");
  const query: Query = {
    select: select === undefined ? undefined : parseSelect(select),
    filters: [],
    order: undefined,
    limit: undefined,
    offset: undefined,
    embedded: new Map(),
    columns: parseNames("columns", first("columns")),
    onConflict: parseNames("on_conflict", first("on_conflict")),
  };
  for (const [name, value] of parameters) addParameter(query, name, value);
  checkConditions([query, ...query.embedded.values()]);
  return query;
}

export function everyRow(): ResourceQuery {
  return { filters: [], order: [], limit: undefined, offset: 0 };
}

const ALREADY_PARSED = new Set(["select", "columns", "on_conflict"]);

/** Throws RestError PGRST100 if a name occurs twice, because only one of the parameter's values could apply. */
export function requireSingle(names: string[]): void {
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw unreadable(`The parameter "${excerpt(repeated)}" occurs more than once`);
}

// Limits the number of filters, because each may have to search the whole text of every row.
function checkConditions(queries: { filters: Filter[] }[]): void {
  const conditions = queries.reduce((sum, { filters }) => sum + countConditions(filters), 0);
  if (conditions > maxFilters) throw unreadable(`The URL contains more than ${maxFilters} filters`);
}

function addParameter(query: Query, name: string, value: string): void {
  if (ALREADY_PARSED.has(name)) return;
  const path = parse<string[]>("Path", "tree path", name);
  const last = path.pop() ?? "";
  const negated = (last === "and" || last === "or") && path.at(-1) === "not";
  if (negated) path.pop();
  const resource = resourceAt(query, path);
  if (last === "order") resource.order = parse("Order", "order", value);
  else if (last === "limit") resource.limit = parseCount(last, value);
  else if (last === "offset") resource.offset = parseCount(last, value);
  else if (last === "and" || last === "or") resource.filters.push(parseGroup(last, negated, value));
  else resource.filters.push(parseFilter(last, value));
}

function parseCount(name: "limit" | "offset", text: string): number {
  const count = parse<number>("Count", name, text);
  if (count >= 0) return count;
  const subject = name === "limit" ? "Limit" : "Offset";
  throw badRange(`${subject} should be greater than or equal to zero.`);
}

function resourceAt(query: Query, path: string[]): Query | ResourceQuery {
  const [name, ...deeper] = path;
  if (name === undefined) return query;
  if (deeper.length > 0) throw notImplemented("Resources can be embedded only one level deep");
  const resource = query.embedded.get(name) ?? everyRow();
  query.embedded.set(name, resource);
  return resource;
}

function parseNames(what: string, text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  return [...new Set(parse<string[]>("Names", `${what} parameter`, text))];
}
