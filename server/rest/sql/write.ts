import { sql } from "kysely";
import type { Shape } from "../parse/accept.ts";
import type { Payload } from "../parse/body.ts";
import type { Preferences } from "../parse/prefer.ts";
import type { Query } from "../parse/query.ts";
import { RestError, unknownField } from "../rest-error.ts";
import type { Catalogue } from "../schema-cache.ts";
import { findColumn, type Table } from "../tables.ts";
import { type Sql, toCondition, toWhere } from "./conditions.ts";
import { resolveEmbeds } from "./relationships.ts";
import { selectRows, tableName } from "./rows.ts";
import { compile, type Result, type Statement, toResult } from "./statement.ts";

/** What a POST, PATCH or DELETE asks for. */
export interface Write {
  table: Table;
  query: Query;
  prefer: Preferences;
  shape: Shape;
}

/** What a write returns. */
export interface WriteResult extends Result {
  affected: number;
  /** How many of the affected rows are new. */
  inserted: number;
  /** The primary key of the one affected row, as texts. */
  key: string[] | null;
}

// The row that the statement writes, the row that the client sent, and whether an upsert made a new row.
const TARGET = "t";
const SENT = "b";
const INSERTED = "?inserted";

/** Takes what is asked for and the rows to insert, returns the statement. Throws RestError for unknown names. */
export function insertStatement(catalogue: Catalogue, write: Write, payload: Payload): Statement {
  const { table, prefer } = write;
  const fields = sql.join(payload.fields.map((field) => sql.id(field)));
  const sent = sql.join(payload.fields.map((field) => sql.id(SENT, field)));
  const rows =
    payload.fields.length > 0
      ? sql`(${fields}) select ${sent} from ${sentRows(table, payload, prefer)}`
      : payload.list
        ? sql`select from json_array_elements(${payload.json}::json)`
        : sql`default values`;
  const inserted =
    prefer.resolution === "merge-duplicates" ? sql`(${sql.id(TARGET, "xmax")} = 0)` : sql`true`;
  const target = sql`${tableName(table)} as ${sql.id(TARGET)}`;
  return toStatement(
    catalogue,
    write,
    sql`insert into ${target} ${rows}${onConflict(write, payload)} returning ${returned(write, inserted)}`,
  );
}

/**
 * Takes what is asked for and the fields to set, returns the statement. Throws RestError for unknown names, and
 * 21000 without a filter.
 */
export function updateStatement(catalogue: Catalogue, write: Write, payload: Payload): Statement {
  const { table, prefer } = write;
  const where = filtersOf(write, "UPDATE");
  const target = sql`${tableName(table)} as ${sql.id(TARGET)}`;
  const kept = returned(write, sql`false`);
  // SQL has no way to set nothing: no row is touched then.
  if (payload.fields.length === 0)
    return toStatement(catalogue, write, sql`select ${kept} from ${target} where false`);
  const fields = payload.fields.map((field) => sql`${sql.id(field)} = ${sql.id(SENT, field)}`);
  const from = sentRows(table, payload, prefer);
  return toStatement(
    catalogue,
    write,
    sql`update ${target} set ${sql.join(fields)} from ${from}${where} returning ${kept}`,
  );
}

/** Takes what is asked for, returns the statement. Throws RestError for unknown names, and 21000 without a filter. */
export function deleteStatement(catalogue: Catalogue, write: Write): Statement {
  const where = filtersOf(write, "DELETE");
  const target = sql`${tableName(write.table)} as ${sql.id(TARGET)}`;
  return toStatement(
    catalogue,
    write,
    sql`delete from ${target}${where} returning ${returned(write, sql`false`)}`,
  );
}

// As hosted Supabase's safeupdate has it: one forgotten filter would reach every own row.
function filtersOf({ table, query }: Write, command: "UPDATE" | "DELETE"): Sql {
  if (query.where.length === 0) throw new RestError(400, "21000", `${command} requires a WHERE clause`);
  return toWhere(query.where.map((condition) => toCondition(table, TARGET, condition)));
}

function sentRows(table: Table, { json, list, fields }: Payload, prefer: Preferences): Sql {
  const columns = fields.map((field) => {
    const column = table.columns.get(field);
    if (column === undefined) throw unknownField(table.name, field);
    return column;
  });
  const typed = sql.join(columns.map(({ name, type }) => sql`${sql.id(name)} ${sql.raw(type)}`));
  const as = sql`as ${sql.id(SENT)} (${typed})`;
  if (prefer.missing !== "default") {
    return sql`${list ? sql`json_to_recordset` : sql`json_to_record`}(${json}::json) ${as}`;
  }
  const defaults = columns.flatMap(({ name, default: value }) =>
    value === null ? [] : [sql`${sql.lit(name)}, ${sql.raw(value)}`],
  );
  const filled = sql`jsonb_build_object(${sql.join(defaults)}) || `;
  return list
    ? sql`jsonb_to_recordset((select jsonb_agg(${filled}e) from jsonb_array_elements(${json}::jsonb) as e)) ${as}`
    : sql`jsonb_to_record(${filled}${json}::jsonb) ${as}`;
}

function onConflict({ table, query, prefer }: Write, { fields }: Payload): Sql {
  const columns = query.onConflict ?? table.primaryKey;
  if (prefer.resolution === undefined || columns.length === 0) return sql``;
  const target = sql.join(columns.map((column) => sql.id(findColumn(table, column).name)));
  if (prefer.resolution === "ignore-duplicates" || fields.length === 0)
    return sql` on conflict (${target}) do nothing`;
  const set = fields.map((field) => sql`${sql.id(field)} = ${sql.id("excluded", field)}`);
  return sql` on conflict (${target}) do update set ${sql.join(set)}`;
}

// Only what the answer needs: a row that may be written need not be readable.
function returned({ table, prefer }: Write, inserted: Sql): Sql {
  const kept =
    prefer.return === "representation"
      ? [...table.columns.keys()]
      : prefer.return === "headers-only"
        ? table.primaryKey
        : [];
  return sql.join([sql`${inserted} as ${sql.id(INSERTED)}`, ...kept.map((column) => sql.id(TARGET, column))]);
}

function toStatement(catalogue: Catalogue, write: Write, change: Sql): Statement {
  const { table, query, prefer, shape } = write;
  const represented = prefer.return === "representation";
  const key = sql.join(table.primaryKey.map((column) => sql`min(${sql.id(column)}::text)`));
  const selection = {
    table,
    source: sql`changed`,
    rows: { ...query, where: [] },
    columns: query.select.columns,
    resources: resolveEmbeds(catalogue, table, query.select.embeds, query.embedded),
  };
  const result = toResult({
    rows: represented ? selectRows(selection) : sql`select from changed`,
    shape: represented ? shape : "none",
    more: sql`(select count(*)::int from changed) as affected,
      (select count(*)::int from changed where ${sql.id(INSERTED)}) as inserted,
      ${prefer.return === "headers-only" ? sql`(select array[${key}]::text[] from changed)` : sql`null::text[]`} as key`,
  });
  return compile(sql`with changed as (${change}) ${result}`);
}
