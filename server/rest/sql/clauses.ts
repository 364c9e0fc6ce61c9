import { sql } from "kysely";
import type { Comparison, Filter, Truth } from "../parse/filters.ts";
import type { Page } from "../parse/headers.ts";
import type { OrderTerm } from "../parse/query.ts";
import { findColumn, type Table } from "../schema-cache.ts";
import type { Sql } from "./compile.ts";

const OPERATORS: Record<Comparison, Sql> = {
  eq: sql`=`,
  neq: sql`<>`,
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
  like: sql`like`,
  ilike: sql`ilike`,
};

const TRUTHS: Record<Truth, Sql> = {
  null: sql`null`,
  not_null: sql`not null`,
  true: sql`true`,
  false: sql`false`,
  unknown: sql`unknown`,
};

export function where(table: Table, name: string, filters: Filter[], more: Sql[] = []): Sql {
  const all = [...filters.map((filter) => toCondition(table, name, filter)), ...more];
  return all.length === 0 ? sql`` : sql` where ${sql.join(all, sql` and `)}`;
}

function toCondition(table: Table, name: string, filter: Filter): Sql {
  const condition = toPositive(table, name, filter);
  return filter.negated ? sql`not ${condition}` : condition;
}

function toPositive(table: Table, name: string, filter: Filter): Sql {
  if (filter.kind === "group") {
    const separator = filter.operator === "and" ? sql` and ` : sql` or `;
    const members = filter.members.map((member) => toCondition(table, name, member));
    return sql`(${sql.join(members, separator)})`;
  }
  const type = sql.raw(findColumn(table, filter.column).type);
  const column = sql.id(name, filter.column);
  if (filter.kind === "is") return sql`(${column} is ${TRUTHS[filter.value]})`;
  if (filter.kind === "in") return sql`(${column} = any (${sql.val(filter.values)}::${type}[]))`;
  const { operator, value } = filter;
  return operator === "like" || operator === "ilike"
    ? sql`(${column} ${OPERATORS[operator]} ${toPattern(value)}::text)`
    : sql`(${column} ${OPERATORS[operator]} ${value}::${type})`;
}

/** `*` stands for `%`, which an address would have to escape (docs.postgrest.org, "Operators"). */
function toPattern(value: string): string {
  return value.replaceAll("*", "%");
}

export function orderBy(table: Table, name: string, terms: OrderTerm[]): Sql {
  if (terms.length === 0) return sql``;
  const columns = terms.map(({ column, descending, nulls }) => {
    const direction = descending ? sql` desc` : sql``;
    const end = nulls === undefined ? sql`` : nulls === "first" ? sql` nulls first` : sql` nulls last`;
    return sql`${sql.id(name, findColumn(table, column).name)}${direction}${end}`;
  });
  return sql` order by ${sql.join(columns)}`;
}

export function limitOffset({ limit, offset }: Page): Sql {
  const limited = limit === undefined ? sql`` : sql` limit ${limit}::bigint`;
  return offset === 0 ? limited : sql`${limited} offset ${offset}::bigint`;
}
