import { type Scanner, scan } from "./scanner.ts";

const MAX_DEPTH = 10;
const MAX_LIST = 500;

export type Comparison = "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "like" | "ilike";

export type Truth = "null" | "not_null" | "true" | "false" | "unknown";

export type Filter =
  | { kind: "compare"; column: string; operator: Comparison; value: string; negated: boolean }
  | { kind: "in"; column: string; values: string[]; negated: boolean }
  | { kind: "is"; column: string; value: Truth; negated: boolean }
  | { kind: "group"; operator: "and" | "or"; members: Filter[]; negated: boolean };

const OPERATOR = /(eq|neq|gte|gt|lte|lt|like|ilike)\./y;
const TRUTH = /(?:not_null|null|true|false|unknown)/iy;
const GROUP = /(not\.)?(and|or)[ \t]*\(/y;

/** Reads what follows a column's name, such as `not.eq.1` or `in.(1,2)`. Throws RestError PGRST100. */
export function parseFilter(column: string, text: string): Filter {
  return scan(text, "filter", (scanner) => readTest(scanner, column, () => scanner.rest()));
}

/** Reads what follows `and` or `or`, such as `(a.eq.1,not.and(b.is.null,c.lt.2))`. Throws RestError PGRST100. */
export function parseGroup(operator: "and" | "or", negated: boolean, text: string): Filter {
  const members = scan(text, "logic tree", (scanner) => {
    scanner.skipBlanks();
    scanner.expect("(");
    return readMembers(scanner, 1);
  });
  return { kind: "group", operator, members, negated };
}

export function countTests(filters: Filter[]): number {
  return filters.reduce((sum, each) => sum + (each.kind === "group" ? countTests(each.members) : 1), 0);
}

function readMembers(scanner: Scanner, depth: number): Filter[] {
  if (depth > MAX_DEPTH) throw scanner.unexpected(`at most ${MAX_DEPTH} levels of groups`);
  const members = scanner.list(() => readMember(scanner, depth));
  scanner.expect(")");
  scanner.skipBlanks();
  return members;
}

function readMember(scanner: Scanner, depth: number): Filter {
  const group = scanner.match(GROUP);
  if (group) {
    const operator = group[2] === "and" ? "and" : "or";
    const members = readMembers(scanner, depth + 1);
    return { kind: "group", operator, negated: group[1] !== undefined, members };
  }
  const column = scanner.name();
  scanner.expect(".");
  return readTest(scanner, column, () => scanner.quotedUpTo(",)") ?? scanner.upTo(",)"));
}

function readTest(scanner: Scanner, column: string, readValue: () => string): Filter {
  const negated = scanner.take("not.");
  if (scanner.take("in.")) return { kind: "in", column, values: readList(scanner), negated };
  if (scanner.take("is.")) {
    const value = scanner.match(TRUTH)?.[0].toLowerCase();
    if (value === undefined) throw scanner.unexpected("isVal: (null, not_null, true, false, unknown)");
    return { kind: "is", column, value: value as Truth, negated };
  }
  const operator = scanner.match(OPERATOR)?.[1];
  if (operator === undefined)
    throw scanner.unexpected('"not" or operator (eq, neq, gt, gte, lt, lte, like, ilike, in, is)');
  return { kind: "compare", column, operator: operator as Comparison, value: readValue(), negated };
}

function readList(scanner: Scanner): string[] {
  scanner.skipBlanks();
  scanner.expect("(");
  if (scanner.take(")")) {
    scanner.skipBlanks();
    return [];
  }
  const values: string[] = [];
  do {
    values.push(scanner.quotedUpTo(",)") ?? scanner.upTo(",)"));
    if (values.length > MAX_LIST) throw scanner.unexpected(`at most ${MAX_LIST} values`);
  } while (scanner.take(","));
  scanner.expect(")");
  scanner.skipBlanks();
  return values;
}
