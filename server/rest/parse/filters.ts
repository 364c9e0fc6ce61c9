import { parse } from "./grammar.ts";

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
