import { parse } from "./grammar.ts";

export type Comparison = "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "like" | "ilike";

export type Truth = "null" | "not_null" | "true" | "false" | "unknown";

type Test =
  | { kind: "compare"; column: string; operator: Comparison; value: string; negated: boolean }
  | { kind: "in"; column: string; values: string[]; negated: boolean }
  | { kind: "is"; column: string; value: Truth; negated: boolean };

export type Filter = Test | { kind: "group"; operator: "and" | "or"; members: Filter[]; negated: boolean };

/** Reads what follows a column's name, such as `not.eq.1` or `in.(1,2)`. Throws RestError PGRST100. */
export function parseFilter(column: string, text: string): Filter {
  return { ...parse<Test>("Filter", "filter", text), column };
}

/** Reads what follows `and` or `or`, such as `(a.eq.1,not.and(b.is.null,c.lt.2))`. Throws RestError PGRST100. */
export function parseGroup(operator: "and" | "or", negated: boolean, text: string): Filter {
  return { kind: "group", operator, members: parse("Group", "logic tree", text), negated };
}

export function countTests(filters: Filter[]): number {
  return filters.reduce((sum, each) => sum + (each.kind === "group" ? countTests(each.members) : 1), 0);
}
