import { type RawBuilder, sql } from "kysely";
import type { Condition, Operator, Truth } from "../parse/filters.ts";
import type { OrderTerm } from "../parse/order.ts";
import type { Page } from "../parse/range.ts";
import { findColumn, type Table } from "../tables.ts";

/** A piece of SQL with its parameters. */
export type Sql = RawBuilder<unknown>;

const OPERATORS: Record<Operator, Sql> = {
  eq: sql`=`,
  neq: sql`<>`,
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
  like: sql`like`,
  ilike: sql`ilike`,
  cs: sql`@>`,
  cd: sql`<@`,
  ov: sql`&&`,
};

/** What is contained or overlaps need not be of the column's type: the database finds the operator. */
const UNTYPED: readonly Operator[] = ["cs", "cd", "ov"];

const TRUTHS: Record<Truth, Sql> = {
  null: sql`null`,
  not_null: sql`not null`,
  true: sql`true`,
  false: sql`false`,
  unknown: sql`unknown`,
};

/**
 * Takes a condition on the rows of a table and the name that the table goes by in the statement, returns its SQL.
 * Each value is a parameter, cast to its column's type unless the operator takes others. Throws RestError 42703.
 */
export function toCondition(table: Table, name: string, condition: Condition): Sql {
  const test = toTest(table, name, condition);
  return condition.negated ? sql`not ${test}` : test;
}

function toTest(table: Table, name: string, condition: Condition): Sql {
  if (condition.kind === "group") {
    const separator = condition.operator === "and" ? sql` and ` : sql` or `;
    const members = condition.members.map((member) => toCondition(table, name, member));
    return sql`(${sql.join(members, separator)})`;
  }
  const { type } = findColumn(table, condition.column);
  const column = sql.id(name, condition.column);
  if (condition.kind === "is") return sql`(${column} is ${TRUTHS[condition.value]})`;
  if (condition.kind === "in")
    return sql`(${column} = any (${sql.val(condition.values)}::${sql.raw(type)}[]))`;
  if (condition.kind === "patterns") {
    const { operator, quantifier, array } = condition;
    return sql`(${column} ${OPERATORS[operator]} ${sql.raw(quantifier)} (${toPattern(array)}::text[]))`;
  }
  const { operator, value } = condition;
  if (operator === "like" || operator === "ilike") {
    return sql`(${column} ${OPERATORS[operator]} ${toPattern(value)}::text)`;
  }
  if (UNTYPED.includes(operator)) return sql`(${column} ${OPERATORS[operator]} ${value})`;
  return sql`(${column} ${OPERATORS[operator]} ${value}::${sql.raw(type)})`;
}

/** `*` stands for `%`, which an address would have to escape (docs.postgrest.org, "Operators"). */
function toPattern(value: string): string {
  return value.replaceAll("*", "%");
}

/** Takes conditions in SQL, returns the `where` clause that joins them by `and`, or nothing. */
export function toWhere(conditions: Sql[]): Sql {
  return conditions.length === 0 ? sql`` : sql` where ${sql.join(conditions, sql` and `)}`;
}

/** Takes what to sort by, returns the `order by` clause, or nothing. Throws RestError 42703. */
export function toOrder(table: Table, name: string, terms: OrderTerm[]): Sql {
  if (terms.length === 0) return sql``;
  const columns = terms.map(({ column, descending, nulls }) => {
    const direction = descending ? sql` desc` : sql``;
    const end = nulls === undefined ? sql`` : nulls === "first" ? sql` nulls first` : sql` nulls last`;
    return sql`${sql.id(name, findColumn(table, column).name)}${direction}${end}`;
  });
  return sql` order by ${sql.join(columns)}`;
}

/** Takes which rows of the result are wanted, returns the `limit` and `offset` clauses, or nothing. */
export function toPage({ limit, offset }: Page): Sql {
  const limited = limit === undefined ? sql`` : sql` limit ${limit}::bigint`;
  return offset === 0 ? limited : sql`${limited} offset ${offset}::bigint`;
}
