import { Scanner } from "./scanner.ts";

const MAX_DEPTH = 10;
const MAX_LIST = 500;

/** The operators that compare a column with one value. */
export type Operator = "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "like" | "ilike" | "cs" | "cd" | "ov";

/** The operators that can compare a column with several values at once, and whether with any or with all of them. */
export type PatternOperator = "like" | "ilike";
export type Quantifier = "any" | "all";

/** What `is` can be followed by. */
export type Truth = "null" | "not_null" | "true" | "false" | "unknown";

/** A condition on rows: one test of one column, or several joined by `and` or `or`. */
export type Condition =
  | { kind: "compare"; column: string; operator: Operator; value: string; negated: boolean }
  | {
      kind: "patterns";
      column: string;
      operator: PatternOperator;
      quantifier: Quantifier;
      array: string;
      negated: boolean;
    }
  | { kind: "in"; column: string; values: string[]; negated: boolean }
  | { kind: "is"; column: string; value: Truth; negated: boolean }
  | { kind: "group"; operator: "and" | "or"; members: Condition[]; negated: boolean };

const OPERATOR = /(eq|neq|gte|gt|lte|lt|like|ilike|cs|cd|ov)\./y;
const QUANTIFIED = /(like|ilike)\((any|all)\)\./y;
const TRUTH = /(?:not_null|null|true|false|unknown)/iy;
const GROUP = /(not\.)?(and|or)[ \t]*\(/y;
const ARRAY = /\{[^{}]*\}/y;

/** Takes a column and a filter such as `not.eq.1` or `in.(1,2)`, returns the condition. Throws RestError PGRST100. */
export function parseFilter(column: string, text: string): Condition {
  const scanner = new Scanner(text, "filter");
  const condition = readTest(scanner, column, () => scanner.rest());
  scanner.expectEnd();
  return condition;
}

/** Takes `and` or `or` and a list such as `(a.eq.1,not.and(b.is.null,c.lt.2))`, returns the group. Throws RestError PGRST100. */
export function parseGroup(operator: "and" | "or", negated: boolean, text: string): Condition {
  const scanner = new Scanner(text, "logic tree");
  scanner.skipBlanks();
  scanner.expect("(");
  const members = readMembers(scanner, 1);
  scanner.expectEnd();
  return { kind: "group", operator, members, negated };
}

/** Takes conditions, returns how many tests they hold in all. */
export function countTests(conditions: Condition[]): number {
  return conditions.reduce((sum, each) => sum + (each.kind === "group" ? countTests(each.members) : 1), 0);
}

function readMembers(scanner: Scanner, depth: number): Condition[] {
  if (depth > MAX_DEPTH) throw scanner.unexpected(`at most ${MAX_DEPTH} levels of groups`);
  const members: Condition[] = [];
  do {
    scanner.skipBlanks();
    members.push(readMember(scanner, depth));
    scanner.skipBlanks();
  } while (scanner.take(","));
  scanner.expect(")");
  scanner.skipBlanks();
  return members;
}

function readMember(scanner: Scanner, depth: number): Condition {
  const group = scanner.match(GROUP);
  if (group) {
    const operator = group[2] === "and" ? "and" : "or";
    return {
      kind: "group",
      operator,
      negated: group[1] !== undefined,
      members: readMembers(scanner, depth + 1),
    };
  }
  const column = scanner.name();
  scanner.expect(".");
  return readTest(scanner, column, () => readMemberValue(scanner));
}

function readMemberValue(scanner: Scanner): string {
  return scanner.quotedUpTo(",)") ?? scanner.match(ARRAY)?.[0] ?? scanner.upTo(",)");
}

function readTest(scanner: Scanner, column: string, readValue: () => string): Condition {
  const negated = scanner.take("not.");
  if (scanner.take("in.")) return { kind: "in", column, values: readList(scanner), negated };
  if (scanner.take("is.")) {
    const value = scanner.match(TRUTH)?.[0].toLowerCase();
    if (value === undefined) throw scanner.unexpected("isVal: (null, not_null, true, false, unknown)");
    return { kind: "is", column, value: value as Truth, negated };
  }
  const quantified = scanner.match(QUANTIFIED);
  if (quantified) {
    const operator = quantified[1] as PatternOperator;
    const quantifier = quantified[2] as Quantifier;
    return { kind: "patterns", column, operator, quantifier, array: readValue(), negated };
  }
  const operator = scanner.match(OPERATOR)?.[1];
  if (operator === undefined) {
    throw scanner.unexpected(
      '"not" or operator (eq, neq, gt, gte, lt, lte, like, ilike, in, is, cs, cd, ov)',
    );
  }
  return { kind: "compare", column, operator: operator as Operator, value: readValue(), negated };
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
