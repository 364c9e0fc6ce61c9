import type { QueryConfig } from "pg";
import type { Filter } from "../parse/grammar.ts";
import type { Call, Read } from "../parse/request.ts";
import { noColumn } from "../rest-error.ts";
import { type DatabaseFunction, findTable, SCHEMA, type SchemaCache, type Table } from "../schema-cache.ts";
import { resolveEmbeds } from "./embedding.ts";
import { selectResult } from "./result.ts";
import { countAll, limitOffset, selectRows, tableName } from "./selection.ts";
import { empty, identifier, join, raw, type Sql, sql } from "./sql.ts";

export function readStatement(schemaCache: SchemaCache, table: Table, read: Read): Sql {
  return selectFrom(tableName(table), schemaCache, table, read);
}

export function callStatement(schemaCache: SchemaCache, called: DatabaseFunction, call: Call): QueryConfig {
  const { sent } = call;
  const sentArguments = called.arguments.filter(({ name }) => sent.fields.includes(name));
  const columns = sentArguments.map(({ name, type }) => sql`${identifier(name)} ${raw(type)}`);
  const named = sentArguments.map(({ name }) => sql`${identifier(name)} => ${identifier("sent", name)}`);
  const from =
    sentArguments.length === 0
      ? empty
      : sql`json_to_recordset(${sent.json}) as sent (${join(columns)}), lateral `;
  const function_ = sql`${from}${identifier(SCHEMA, called.name)}(${join(named)})`;
  const CALLED = sql`called`;
  if (called.table === null) {
    const rows = sql`select f.json from ${function_} as f (json)`;
    return sql`with ${CALLED} as (${rows}) ${selectValues(CALLED, called, call)}`;
  }
  const table = findTable(schemaCache, called.table);
  const rows = sql`select f.* from ${function_} as f`;
  return sql`with ${CALLED} as (${rows}) ${selectFrom(CALLED, schemaCache, table, call)}`;
}

function selectFrom(source: Sql, schemaCache: SchemaCache, table: Table, request: Read | Call): Sql {
  const { rows, filters, shape, wantsBody, wantsCount } = request;
  const selection = { table, rows, filters, resources: resolveEmbeds(schemaCache, table, rows), source };
  const total = sql`${countAll(selection, wantsCount)} as total`;
  return selectResult(selectRows(selection), wantsBody ? shape : "none", total);
}

/** JSON values have no columns, so they can only be limited and counted. Throws RestError 42703. */
function selectValues(source: Sql, called: DatabaseFunction, call: Call): Sql {
  const column = columnIn(call);
  if (column !== undefined) {
    const hint = "The function returns JSON values without columns: use its arguments, limit and offset.";
    throw noColumn(called.name, column, hint);
  }
  const total = call.wantsCount
    ? sql`(select count(*)::int from ${source}) as total`
    : sql`null::int as total`;
  const values = sql`select json from ${source}${limitOffset(call.rows)}`;
  return selectResult(values, call.wantsBody ? call.shape : "none", total, sql`r.json`);
}

function columnIn({ rows: { select, order, embedded }, filters }: Call): string | undefined {
  return [
    ...select.columns.map(({ column }) => column).filter((column) => column !== "*"),
    ...select.embeds.map(({ target }) => target),
    ...filters.flatMap(columnsOf),
    ...order.map(({ column, related }) => related ?? column),
    ...embedded.keys(),
  ][0];
}

function columnsOf(filter: Filter): string[] {
  return "members" in filter ? filter.members.flatMap(columnsOf) : [filter.column];
}
