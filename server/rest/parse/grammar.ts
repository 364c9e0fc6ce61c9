import type { parser } from "peggy";
import { excerpt, noAggregates, notImplemented, unreadable } from "../rest-error.ts";
import { SyntaxError as GrammarError, parse as parseWithGrammar } from "./generated-parser.ts";

/** `what` names the text in error messages ("filter", "order"). Throws RestError PGRST100, PGRST123 or PGRST127. */
export function parse<Read>(
  startRule: "Select" | "Order" | "Count" | "Filter" | "Group" | "Path" | "Names",
  what: string,
  text: string,
): Read {
  try {
    return parseWithGrammar(text, { startRule, notImplemented, noAggregates }) as Read;
  } catch (error) {
    if (!(error instanceof GrammarError)) throw error;
    const { location, message: expected } = error as parser.SyntaxError;
    const { line, column } = location.start;
    const message = `"failed to parse ${what} (${excerpt(text)})" (line ${line}, column ${column})`;
    throw unreadable(message, expected);
  }
}

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
  /** Whether the columns become columns of the embedding row, as in `...target(columns)`. */
  isSpread: boolean;
  /** `count()` is the number of rows, and so is `count` if the table has no such column. */
  columns: SelectedColumn[];
}

export interface Select {
  columns: SelectedColumn[];
  embeds: Embed[];
}

/**
 * Rejects PostgREST's casts, JSON paths, and aggregates except counts. Throws RestError PGRST100, PGRST123 or
 * PGRST127.
 */
export function parseSelect(text: string): Select {
  return parse("Select", "select parameter", text || "*");
}

/** `operator` is SQL from the grammar. An operator such as `is null` takes no value. */
interface Condition {
  column: string;
  operator: string;
  value?: string | string[];
  negated: boolean;
}

export type Filter = Condition | { operator: "and" | "or"; members: Filter[]; negated: boolean };

/** Parses the text after a column's name, such as `not.eq.1` or `in.(1,2)`. Throws RestError PGRST100. */
export function parseFilter(column: string, text: string): Filter {
  return { ...parse<Condition>("Filter", "filter", text), column };
}

/** Parses the text after `and` or `or`, such as `(a.eq.1,not.and(b.is.null,c.lt.2))`. Throws RestError PGRST100. */
export function parseGroup(operator: "and" | "or", negated: boolean, text: string): Filter {
  return { operator, members: parse("Group", "logic tree", text), negated };
}

export function countConditions(filters: Filter[]): number {
  return filters.reduce(
    (sum, filter) => sum + ("members" in filter ? countConditions(filter.members) : 1),
    0,
  );
}
