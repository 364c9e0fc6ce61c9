import type { QueryConfig } from "pg";
import type { Payload } from "../parse/body.ts";
import type { Delete, Insert, Mutation, Update, Upsert } from "../parse/request.ts";
import { excerpt, notImplemented, RestError } from "../rest-error.ts";
import { findColumn, type SchemaCache, type Table } from "../schema-cache.ts";
import { resolveEmbeds } from "./embedding.ts";
import { type Result, selectResult } from "./result.ts";
import { selectRows, tableName, where } from "./selection.ts";
import { empty, identifier, join, literal, raw, type Sql, sql } from "./sql.ts";

export interface MutationResult extends Result {
  affected: number;
  inserted: number;
  /** The primary key of the only new row, if the client wants its `Location`. */
  keys?: Record<string, string>[] | null;
}

const TARGET = "t";
const SENT = "b";
const INSERTED = "?inserted";

export function mutationStatement(schemaCache: SchemaCache, table: Table, mutation: Mutation): QueryConfig {
  return toStatement(schemaCache, table, mutation, changeRows(table, mutation));
}

function changeRows(table: Table, mutation: Mutation): Sql {
  switch (mutation.kind) {
    case "insert":
      return insertRows(table, mutation, empty, sql`true`);
    case "upsert":
      return upsertRows(table, mutation);
    case "update":
      return updateRows(table, mutation);
    case "delete":
      return deleteRows(table, mutation);
  }
}

function insertRows(table: Table, mutation: Insert | Upsert, onConflict: Sql, inserted: Sql): Sql {
  const target = sql`${tableName(table)} as ${identifier(TARGET)}`;
  const { fields } = mutation.payload;
  const columns = fields.map((field) => identifier(field));
  const named = columns.length === 0 ? empty : sql`(${join(columns)}) `;
  const sent = join(fields.map((field) => identifier(SENT, field)));
  return sql`insert into ${target} ${named}select ${sent} from ${sentRows(table, mutation)}${onConflict}
    returning ${returned(table, mutation, inserted)}`;
}

function upsertRows(table: Table, mutation: Upsert): Sql {
  const { duplicates, onConflict = table.primaryKey, payload } = mutation;
  if (onConflict.length === 0)
    throw notImplemented(
      `The table has no primary key: name the columns of a unique constraint in on_conflict.`,
    );
  const target = join(onConflict.map((column) => identifier(findColumn(table, column))));
  if (duplicates === "ignore" || payload.fields.length === 0)
    return insertRows(table, mutation, sql` on conflict (${target}) do nothing`, sql`true`);
  const set = payload.fields.map((field) => sql`${identifier(field)} = ${identifier("excluded", field)}`);
  const merge = sql` on conflict (${target}) do update set ${join(set)}`;
  return insertRows(table, mutation, merge, sql`(${identifier(TARGET, "xmax")} = 0)`);
}

function updateRows(table: Table, mutation: Update): Sql {
  const target = sql`${tableName(table)} as ${identifier(TARGET)}`;
  const returning = returned(table, mutation, sql`false`);
  const filtered = where(table, TARGET, mutation.filters);
  // SQL has no update without columns. Like PostgREST, change no row.
  if (mutation.payload.fields.length === 0)
    return sql`select ${returning} from ${target}${filtered} and false`;
  const fields = mutation.payload.fields.map(
    (field) => sql`${identifier(field)} = ${identifier(SENT, field)}`,
  );
  return sql`update ${target} set ${join(fields)} from ${sentRows(table, mutation)}${filtered} returning ${returning}`;
}

function deleteRows(table: Table, mutation: Delete): Sql {
  const filtered = where(table, TARGET, mutation.filters);
  return sql`delete from ${tableName(table)} as ${identifier(TARGET)}${filtered} returning ${returned(table, mutation, sql`false`)}`;
}

function sentRows(table: Table, { payload, missingIsDefault }: Insert | Upsert | Update): Sql {
  const unknown = payload.fields.find((field) => !table.columns.includes(field));
  if (unknown !== undefined) {
    const message = `Could not find the '${excerpt(unknown)}' column of '${table.name}' in the schema cache`;
    throw new RestError(400, "PGRST204", message);
  }
  const rows = missingIsDefault ? withDefaults(table, payload) : sql`${payload.json}`;
  return sql`json_populate_recordset(null::${tableName(table)}, ${rows}) as ${identifier(SENT)}`;
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

// Names only the columns that the response needs, because `returning` requires the right to read them. A client may be
// allowed to change a row but not to read it.
function returned(table: Table, mutation: Mutation, inserted: Sql): Sql {
  const columns = {
    nothing: [],
    location: table.primaryKey,
    rows: table.columns,
  }[typeof mutation.returned === "string" ? mutation.returned : "rows"];
  return join([
    sql`${inserted} as ${identifier(INSERTED)}`,
    ...columns.map((column) => identifier(TARGET, column)),
  ]);
}

function toStatement(schemaCache: SchemaCache, table: Table, mutation: Mutation, change: Sql): QueryConfig {
  const counts = sql`(select count(*)::int from changed) as affected,
    (select count(*)::int from changed where ${identifier(INSERTED)}) as inserted`;
  return sql`with changed as (${change}) ${resultOf(schemaCache, table, mutation, counts)}`;
}

function resultOf(schemaCache: SchemaCache, table: Table, { returned, shape }: Mutation, counts: Sql): Sql {
  const none = sql`select from changed`;
  if (returned === "nothing") return selectResult(none, "none", counts);
  if (returned === "location") return selectResult(none, "none", sql`${counts}${onlyKey(table)}`);
  const resources = resolveEmbeds(schemaCache, table, returned);
  const selection = { table, rows: returned, filters: [], resources, source: sql`changed` };
  return selectResult(selectRows(selection), shape, counts);
}

function onlyKey({ primaryKey }: Table): Sql {
  if (primaryKey.length === 0) return empty;
  const key = primaryKey.flatMap((column) => [literal(column), sql`${identifier(column)}::text`]);
  return sql`, (select json_agg(json_build_object(${join(key)})) from changed
    where (select count(*) from changed) = 1) as keys`;
}
