import type { QueryConfig } from "pg";
import type { Payload } from "../parse/body.ts";
import type { Preferences, Shape } from "../parse/headers.ts";
import { excerpt, notImplemented, RestError } from "../rest-error.ts";
import { findColumn, type Table } from "../schema-cache.ts";
import { type Result, selectResult } from "./result.ts";
import { type Selection, selectRows, tableName, where } from "./selection.ts";
import { empty, id, join, literal, raw, type Sql, sql } from "./sql.ts";

export interface Mutation extends Omit<Selection, "source"> {
  prefer: Preferences;
  shape: Shape;
}

export interface MutationResult extends Result {
  affected: number;
  inserted: number;
  /** The primary key of the only new row, if the client wants its `Location`. */
  keys?: Record<string, string>[] | null;
}

const TARGET = "t";
const SENT = "b";
const INSERTED = "?inserted";

export function insertStatement(mutation: Mutation, payload: Payload): QueryConfig {
  const { table, prefer } = mutation;
  const inserted = prefer.duplicates === "merge" ? sql`(${id(TARGET, "xmax")} = 0)` : sql`true`;
  const target = sql`${tableName(table)} as ${id(TARGET)}`;
  const onConflict = prefer.duplicates ? resolveDuplicates(mutation, payload) : empty;
  const change = sql`insert into ${target} ${insertedRows(mutation, payload)}${onConflict} returning ${returned(mutation, inserted)}`;
  return toStatement(mutation, change);
}

export function updateStatement(mutation: Mutation, payload: Payload): QueryConfig {
  const { table } = mutation;
  const filtered = filtersOf(mutation, "UPDATE");
  const target = sql`${tableName(table)} as ${id(TARGET)}`;
  const returning = returned(mutation, sql`false`);
  // SQL has no update without columns. Like PostgREST, change no row.
  if (payload.fields.length === 0)
    return toStatement(mutation, sql`select ${returning} from ${target} where false`);
  const fields = payload.fields.map((field) => sql`${id(field)} = ${id(SENT, field)}`);
  const from = sentRows(table, payload);
  const change = sql`update ${target} set ${join(fields)} from ${from}${filtered} returning ${returning}`;
  return toStatement(mutation, change);
}

export function deleteStatement(mutation: Mutation): QueryConfig {
  const filtered = filtersOf(mutation, "DELETE");
  const target = sql`${tableName(mutation.table)} as ${id(TARGET)}`;
  const change = sql`delete from ${target}${filtered} returning ${returned(mutation, sql`false`)}`;
  return toStatement(mutation, change);
}

function filtersOf({ table, query }: Mutation, command: "UPDATE" | "DELETE"): Sql {
  // Since version 13, PostgREST applies limit and offset only to the rows that it returns, but still changes all
  // matching rows. Clients may not expect that, so reject the request.
  if (query.limit !== undefined || query.offset > 0)
    throw notImplemented("An update or delete cannot be limited to a part of the rows that match its filter");
  // Without a filter, the command would affect all of a member's rows. Hosted Supabase also rejects such commands.
  if (query.filters.length === 0) throw new RestError(400, "21000", `${command} requires a WHERE clause`);
  return where(table, TARGET, query.filters);
}

function insertedRows({ table, prefer }: Mutation, payload: Payload): Sql {
  const columns = payload.fields.map((field) => id(field));
  const named = columns.length === 0 ? empty : sql`(${join(columns)}) `;
  const sent = join(payload.fields.map((field) => id(SENT, field)));
  const json = prefer.missingIsDefault ? withDefaults(table, payload) : sql`${payload.json}`;
  return sql`${named}select ${sent} from ${sentRows(table, payload, json)}`;
}

/** Fills keys that a row lacks with the columns' defaults. The SQL expressions come from the schema cache. */
function withDefaults({ defaults }: Table, { json, fields }: Payload): Sql {
  const withDefault = fields.flatMap((field) => {
    const expression = Object.hasOwn(defaults, field) ? defaults[field] : undefined;
    return expression === undefined ? [] : sql`${literal(field)}, ${raw(expression)}`;
  });
  if (withDefault.length === 0) return sql`${json}`;
  const defaulted = sql`jsonb_build_object(${join(withDefault)}) || row.value`;
  return sql`(select json_agg(${defaulted}) from jsonb_array_elements(${json}::jsonb) as row)`;
}

function sentRows(table: Table, { json, fields }: Payload, rows: Sql = sql`${json}`): Sql {
  const unknown = fields.find((field) => !table.columns.includes(field));
  if (unknown !== undefined) {
    const message = `Could not find the '${excerpt(unknown)}' column of '${table.name}' in the schema cache`;
    throw new RestError(400, "PGRST204", message);
  }
  return sql`json_populate_recordset(null::${tableName(table)}, ${rows}) as ${id(SENT)}`;
}

function resolveDuplicates({ table, query, prefer }: Mutation, { fields }: Payload): Sql {
  const columns = query.onConflict ?? table.primaryKey;
  if (columns.length === 0) return empty;
  const target = join(columns.map((column) => id(findColumn(table, column))));
  if (fields.length === 0 || prefer.duplicates === "ignore") return sql` on conflict (${target}) do nothing`;
  const set = fields.map((field) => sql`${id(field)} = ${id("excluded", field)}`);
  return sql` on conflict (${target}) do update set ${join(set)}`;
}

// Names only the columns that the response needs, because `returning` requires the right to read them. A client may be
// allowed to change a row but not to read it.
function returned({ table, prefer }: Mutation, inserted: Sql): Sql {
  const keys = prefer.wantsLocation ? table.primaryKey : [];
  const columns = prefer.wantsRows ? table.columns : keys;
  return join([sql`${inserted} as ${id(INSERTED)}`, ...columns.map((column) => id(TARGET, column))]);
}

function toStatement(mutation: Mutation, change: Sql): QueryConfig {
  const { table, query, prefer, shape } = mutation;
  const selection = { ...mutation, query: { ...query, filters: [] }, source: sql`changed` };
  const counts = sql`(select count(*)::int from changed) as affected,
    (select count(*)::int from changed where ${id(INSERTED)}) as inserted`;
  const result = prefer.wantsRows
    ? selectResult(selectRows(selection), shape, counts)
    : selectResult(sql`select from changed`, "none", sql`${counts}${onlyKey(table, prefer)}`);
  return sql`with changed as (${change}) ${result}`;
}

function onlyKey({ primaryKey }: Table, { wantsLocation }: Preferences): Sql {
  if (!wantsLocation || primaryKey.length === 0) return empty;
  const key = primaryKey.flatMap((column) => [literal(column), sql`${id(column)}::text`]);
  return sql`, (select json_agg(json_build_object(${join(key)})) from changed
    where (select count(*) from changed) = 1) as keys`;
}
