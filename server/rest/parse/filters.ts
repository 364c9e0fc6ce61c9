import { parse } from "./grammar.ts";

/** `operator` is SQL from the grammar. Without a value, it is a complete test such as `is null`. */
interface Test {
  column: string;
  operator: string;
  value?: string | string[];
  negated: boolean;
}

export type Filter = Test | { operator: "and" | "or"; members: Filter[]; negated: boolean };

/** Parses the text after a column's name, such as `not.eq.1` or `in.(1,2)`. Throws RestError PGRST100. */
export function parseFilter(column: string, text: string): Filter {
  return { ...parse<Test>("Filter", "filter", text), column };
}

/** Parses the text after `and` or `or`, such as `(a.eq.1,not.and(b.is.null,c.lt.2))`. Throws RestError PGRST100. */
export function parseGroup(operator: "and" | "or", negated: boolean, text: string): Filter {
  return { operator, members: parse("Group", "logic tree", text), negated };
}

export function countTests(filters: Filter[]): number {
  return filters.reduce((sum, each) => sum + ("members" in each ? countTests(each.members) : 1), 0);
}
