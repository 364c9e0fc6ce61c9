import type { Filter, SelectedColumn } from "../parse/grammar.ts";
import type { Page } from "../parse/headers.ts";
import type { OrderTerm } from "../parse/query.ts";
import type { Selected } from "../parse/request.ts";
import { noAggregates, notImplemented, unreadable } from "../rest-error.ts";
import { findColumn, SCHEMA, type Table } from "../schema-cache.ts";
import { type EmbeddedResource, findEmbed, isToOne, notToOne } from "./embedding.ts";
import { jsonList, selectSized } from "./result.ts";
import { empty, identifier, join, raw, type Sql, sql } from "./sql.ts";

export interface Selection {
  table: Table;
  rows: Selected;
  filters: Filter[];
  resources: EmbeddedResource[];
  source: Sql;
}

const OUTER = "t";

export function tableName(table: Table): Sql {
  return identifier(SCHEMA, table.name);
}

export function selectRows(selection: Selection): Sql {
  const { table, source, rows, resources } = selection;
  const shown = resources.filter(({ columns }) => columns.length > 0);
  requireDistinctKeys([...keysOf(table, rows.select.columns), ...shown.flatMap(resourceKeys)]);
  const columns = rows.select.columns.flatMap((column) => toColumns(table, OUTER, column));
  const listed = join([...columns, ...shown.flatMap(toResourceColumns)]);
  const joins = join(shown.map(toJoin), "");
  const outer = identifier(OUTER);
  const ordered = orderBy(table, OUTER, rows.order, resources);
  // Apply limit and offset first, so that embedded resources are joined only to the rows of the page.
  const page = sql`select * from ${source} as ${outer}${whereOf(selection)}${ordered}${limitOffset(rows)}`;
  return sql`select ${listed} from (${page}) as ${outer}${joins}${ordered}`;
}

export function countAll(selection: Selection, isWanted: boolean): Sql {
  if (!isWanted) return sql`null::int`;
  return sql`(select count(*)::int from ${selection.source} as ${identifier(OUTER)}${whereOf(selection)})`;
}

function whereOf({ table, filters, resources }: Selection): Sql {
  const inner = resources.filter((resource) => resource.inner).map(toExists);
  return where(table, OUTER, filters, inner, resources);
}

function toColumns(table: Table, name: string, { column, alias }: SelectedColumn): Sql[] {
  if (column === "*") return table.columns.map((columnName) => identifier(name, columnName));
  if (column === "count" && !table.columns.includes(column)) throw noAggregates();
  const selected = identifier(name, findColumn(table, column));
  return [alias === undefined ? selected : sql`${selected} as ${identifier(alias)}`];
}

const resourceKey = ({ alias, target }: EmbeddedResource) => alias ?? target;

function resourceKeys(resource: EmbeddedResource): string[] {
  if (!resource.isSpread) return [resourceKey(resource)];
  return resource.count === undefined ? keysOf(resource.table, resource.columns) : [resource.count];
}

function keysOf(table: Table, columns: SelectedColumn[]): string[] {
  return columns.flatMap(({ column, alias }) => (column === "*" ? table.columns : [alias ?? column]));
}

/** JSON allows a key to occur twice in an object, but clients see only one of the values. Throws RestError PGRST100. */
function requireDistinctKeys(keys: string[]): void {
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  if (twice === undefined) return;
  throw unreadable(
    `The key "${twice}" would occur twice in each row`,
    "Give one of the columns another alias.",
  );
}

// Resources are embedded by lateral joins, because the planner can turn these into ordinary joins. It can't do that
// with subqueries in the select list.
const joinName = (index: number) => `e${index}`;

function toResourceColumns(resource: EmbeddedResource, index: number): Sql[] {
  const { relationship, isSpread } = resource;
  const name = joinName(index);
  if (isSpread) return resourceKeys(resource).map((key) => identifier(name, key));
  const value = isToOne(relationship) ? sql`row_to_json(${identifier(name)})` : identifier(name, "list");
  return [sql`${value} as ${identifier(resourceKey(resource))}`];
}

function toJoin(resource: EmbeddedResource, index: number): Sql {
  const { relationship, table, columns, query } = resource;
  const inside = `i${index}`;
  const joinLateral = (joined: Sql) =>
    sql` left join lateral (${joined}) as ${identifier(joinName(index))} on true`;
  if (resource.count !== undefined) {
    const counted = sql`select count(*) as ${identifier(resource.count)} from ${matching(resource, inside)}`;
    return joinLateral(
      isToOne(relationship)
        ? counted
        : sql`select json_build_array(row_to_json(c)) as list from (${counted}) as c`,
    );
  }
  requireDistinctKeys(keysOf(table, columns));
  const listed = join(columns.flatMap((column) => toColumns(table, inside, column)));
  const rows = sql`select ${listed} from ${matching(resource, inside)}${orderBy(table, inside, query.order)}${limitOffset(query)}`;
  const joined = isToOne(relationship)
    ? rows
    : sql`select ${jsonList()} as list from (${selectSized(rows)}) as r`;
  return joinLateral(joined);
}

// `offset 0` keeps the planner from starting with the embedded table. If the planner started there, PostgreSQL
// would have to sort all matching rows before it could apply the limit.
function toExists(resource: EmbeddedResource): Sql {
  const { limit, offset } = resource.query;
  const page = limit === undefined && offset === 0 ? sql` offset 0` : limitOffset(resource.query);
  return sql`exists (select from ${matching(resource, "x")}${page})`;
}

function matching({ relationship, table, query }: EmbeddedResource, inside: string): Sql {
  const { column, otherColumn } = relationship;
  const joined = sql`${identifier(inside, otherColumn)} = ${identifier(OUTER, column)}`;
  return sql`${tableName(table)} as ${identifier(inside)}${where(table, inside, query.filters, [joined])}`;
}

export function where(
  table: Table,
  name: string,
  filters: Filter[],
  more: Sql[] = [],
  resources: EmbeddedResource[] = [],
): Sql {
  const all = [...filters.map((filter) => toCondition(table, name, filter, resources)), ...more];
  return all.length === 0 ? empty : sql` where ${join(all, " and ")}`;
}

function toCondition(table: Table, name: string, filter: Filter, resources: EmbeddedResource[]): Sql {
  const condition = toPositive(table, name, filter, resources);
  return filter.negated ? sql`not (${condition})` : sql`(${condition})`;
}

function toPositive(table: Table, name: string, filter: Filter, resources: EmbeddedResource[]): Sql {
  if ("members" in filter) {
    const members = filter.members.map((member) => toCondition(table, name, member, resources));
    return join(members, ` ${filter.operator} `);
  }
  // `articles=is.null` finds the rows without related rows (docs.postgrest.org, "Null filtering on Embedded Resources").
  const related = resources.find((resource) => resourceKey(resource) === filter.column);
  if (related !== undefined && filter.operator === "is null") return sql`not ${toExists(related)}`;
  if (related !== undefined && filter.operator === "is not null") return toExists(related);
  const column = identifier(name, findColumn(table, filter.column));
  const operator = raw(filter.operator);
  if (filter.value === undefined) return sql`${column} ${operator}`;
  // The value is a parameter without a type, so PostgreSQL converts it to the column's type.
  return sql`${column} ${operator} (${filter.value})`;
}

function orderBy(table: Table, name: string, terms: OrderTerm[], resources?: EmbeddedResource[]): Sql {
  if (terms.length === 0) return empty;
  const values = terms.map(({ column, related, direction }) => {
    if (related === undefined) return sql`${identifier(name, findColumn(table, column))}${raw(direction)}`;
    if (resources === undefined)
      throw notImplemented("Related rows can be ordered only by their own columns");
    return sql`(${relatedValue(table, findEmbed(resources, related), column)})${raw(direction)}`;
  });
  return sql` order by ${join(values)}`;
}

function relatedValue(table: Table, resource: EmbeddedResource, column: string): Sql {
  if (!isToOne(resource.relationship)) throw notToOne("PGRST118", "related order", table, resource);
  return sql`select ${identifier("o", findColumn(resource.table, column))} from ${matching(resource, "o")}`;
}

export function limitOffset({ limit, offset }: Page): Sql {
  const limited = limit === undefined ? empty : sql` limit ${limit}`;
  return offset === 0 ? limited : sql`${limited} offset ${offset}`;
}
