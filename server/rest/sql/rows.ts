import { sql } from "kysely";
import type { Rows } from "../parse/query.ts";
import type { SelectedColumn } from "../parse/select.ts";
import { findColumn, SCHEMA, type Table } from "../tables.ts";
import { type Sql, toCondition, toOrder, toPage, toWhere } from "./conditions.ts";
import type { EmbeddedResource } from "./relationships.ts";
import { toList, toSizedRows } from "./statement.ts";

/** A select on one table: where its rows come from, which of them, and what each one holds. */
export interface Selection {
  table: Table;
  source: Sql;
  rows: Rows;
  columns: SelectedColumn[];
  resources: EmbeddedResource[];
}

const OUTER = "t";

/** Takes a table, returns its qualified name in SQL. */
export function tableName(table: Table): Sql {
  return sql.id(SCHEMA, table.name);
}

/** Takes a selection, returns the SELECT that yields its rows. Throws RestError 42703. */
export function selectRows(selection: Selection): Sql {
  // The resources of rows that are passed over would be joined for nothing.
  return selection.rows.offset > 0 ? selectFrom(pageOf(selection)) : selectFrom(selection);
}

/** Takes a selection, returns the same one from a source that holds its page already. */
function pageOf(selection: Selection): Selection {
  const { table, source, rows, resources } = selection;
  const where = whereOf(selection);
  const page = sql`(select * from ${source} as ${sql.id(OUTER)}${where}${toOrder(table, OUTER, rows.order)}${toPage(rows)})`;
  return {
    ...selection,
    source: page,
    rows: { ...rows, where: [], limit: undefined, offset: 0 },
    resources: resources.map((resource) => ({ ...resource, inner: false })),
  };
}

function selectFrom(selection: Selection): Sql {
  const { table, source, rows, resources } = selection;
  const shown = resources.filter(({ columns }) => columns.length > 0);
  const columns = selection.columns.flatMap((column) => toColumns(table, OUTER, column));
  const listed = sql.join([...columns, ...shown.map(toResourceColumn)]);
  const joins = sql.join(shown.map(toJoin), sql``);
  return sql`select ${listed} from ${source} as ${sql.id(OUTER)}${joins}${whereOf(selection)}${toOrder(table, OUTER, rows.order)}${toPage(rows)}`;
}

/** Takes a selection, returns a SELECT that yields an empty row for each of its rows, on whatever page. */
export function selectAll(selection: Selection): Sql {
  return sql`select from ${selection.source} as ${sql.id(OUTER)}${whereOf(selection)}`;
}

function whereOf({ table, rows, resources }: Selection): Sql {
  const own = rows.where.map((condition) => toCondition(table, OUTER, condition));
  const required = resources.filter(({ inner }) => inner).map(toExists);
  return toWhere([...own, ...required]);
}

function toColumns(table: Table, name: string, { column, alias }: SelectedColumn): Sql[] {
  if (column === "*") return [...table.columns.keys()].map((each) => sql.id(name, each));
  const found = sql.id(name, findColumn(table, column).name);
  return [alias === undefined ? found : sql`${found} as ${sql.id(alias)}`];
}

// Each resource stands in a lateral join of its own: of one row as it is, of several as a JSON array `list`.
// The planner turns the former into an ordinary join, which a subquery per row would not be.
const joinName = (position: number) => `e${position}`;

function toResourceColumn({ relationship, key }: EmbeddedResource, position: number): Sql {
  const name = joinName(position);
  const value = relationship.toOne ? sql`row_to_json(${sql.id(name)})` : sql.id(name, "list");
  return sql`${value} as ${sql.id(key)}`;
}

function toJoin(resource: EmbeddedResource, position: number): Sql {
  const { relationship, columns, rows } = resource;
  const inside = `i${position}`;
  const listed = sql.join(columns.flatMap((column) => toColumns(relationship.table, inside, column)));
  const found = sql`select ${listed} from ${matching(resource, inside)}${toOrder(relationship.table, inside, rows.order)}${toPage(rows)}`;
  const joined = relationship.toOne
    ? found
    : sql`select ${toList()} as list from (${toSizedRows(found)}) as r`;
  return sql` left join lateral (${joined}) as ${sql.id(joinName(position))} on true`;
}

// 'offset 0' keeps the planner from turning this into a join: row-level security hides from it how common the
// wanted rows are, so it would begin with them and sort all that they lead to, however short the page.
function toExists(resource: EmbeddedResource, position: number): Sql {
  return sql`exists (select from ${matching(resource, `x${position}`)} offset 0)`;
}

function matching({ relationship, rows }: EmbeddedResource, inside: string): Sql {
  const { table, pairs } = relationship;
  const joined = pairs.map(([outer, inner]) => sql`${sql.id(inside, inner)} = ${sql.id(OUTER, outer)}`);
  const own = rows.where.map((condition) => toCondition(table, inside, condition));
  return sql`${tableName(table)} as ${sql.id(inside)}${toWhere([...joined, ...own])}`;
}
