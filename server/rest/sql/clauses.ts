import type { Filter } from "../parse/filters.ts";
import type { Page } from "../parse/headers.ts";
import type { OrderTerm } from "../parse/query.ts";
import { findColumn, type Table } from "../schema-cache.ts";
import { empty, id, join, raw, type Sql, sql } from "./sql.ts";

export function where(table: Table, name: string, filters: Filter[], more: Sql[] = []): Sql {
  const all = [...filters.map((filter) => toCondition(table, name, filter)), ...more];
  return all.length === 0 ? empty : sql` where ${join(all, " and ")}`;
}

function toCondition(table: Table, name: string, filter: Filter): Sql {
  const condition = toPositive(table, name, filter);
  return filter.negated ? sql`not (${condition})` : sql`(${condition})`;
}

function toPositive(table: Table, name: string, filter: Filter): Sql {
  if ("members" in filter) {
    const members = filter.members.map((member) => toCondition(table, name, member));
    return join(members, ` ${filter.operator} `);
  }
  const column = id(name, findColumn(table, filter.column));
  const operator = raw(filter.operator);
  if (filter.value === undefined) return sql`${column} ${operator}`;
  // The value is a parameter without a type, so PostgreSQL converts it to the column's type.
  return sql`${column} ${operator} (${filter.value})`;
}

export function orderBy(table: Table, name: string, terms: OrderTerm[]): Sql {
  if (terms.length === 0) return empty;
  const columns = terms.map(
    ({ column, direction }) => sql`${id(name, findColumn(table, column))}${raw(direction)}`,
  );
  return sql` order by ${join(columns)}`;
}

export function limitOffset({ limit, offset }: Page): Sql {
  const limited = limit === undefined ? empty : sql` limit ${limit}`;
  return offset === 0 ? limited : sql`${limited} offset ${offset}`;
}
