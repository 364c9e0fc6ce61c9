import type { QueryConfig } from "pg";
import type { ApiContext } from "../api/pipeline.ts";
import type { Database } from "../postgres/database.ts";
import { decodeBody, type Payload, parsePayload } from "./parse/body.ts";
import type { Filter } from "./parse/grammar.ts";
import { parseAccept, parsePrefer, type Shape, withRange } from "./parse/headers.ts";
import { type Parameter, parseQuery, type Query, readParameters, rejectUnused } from "./parse/query.ts";
import { readResponse } from "./responses.ts";
import { badBody, noColumn } from "./rest-error.ts";
import { type DatabaseFunction, findFunction, findTable, SCHEMA, type SchemaCache } from "./schema-cache.ts";
import { resolveEmbeds } from "./sql/embedding.ts";
import { type Result, selectResult } from "./sql/result.ts";
import { countAll, limitOffset, selectRows } from "./sql/selection.ts";
import { empty, id, join, raw, type Sql, sql } from "./sql/sql.ts";

/**
 * Calls a database function with arguments from the body (POST) or from the URL (GET and HEAD). The other parameters of
 * the URL select from the rows that the function returns, as with a table.
 */
export function callFunction(database: Database, schemaCache: SchemaCache) {
  return async (c: ApiContext): Promise<Response> => {
    const name = c.req.param("name") ?? "";
    const { sent, parameters } = readCall(c, schemaCache.functions.get(name));
    if (sent.list) throw badBody("A function takes one JSON object of arguments");
    const called = findFunction(schemaCache.functions, name, sent.fields, c.var.caller.role);
    const parsed = parseQuery(parameters);
    rejectUnused(parsed, ["columns", "onConflict"]);
    const isHead = c.req.method === "HEAD";
    const query = { ...parsed, ...withRange(parsed, isHead ? undefined : c.req.header("range")) };
    const shape = parseAccept(c.req.header("accept"));
    const { wantsCount } = parsePrefer(c.req.header("prefer"));
    const select = called.table === null ? selectValues : selectTableRows(schemaCache, called.table);
    const result = select(called, query, isHead ? "none" : shape, wantsCount);
    const [row] = (await database.read<Result>(c.var.caller, callStatement(called, sent, result))).rows as [
      Result,
    ];
    return readResponse(row, shape, query.offset);
  };
}

const QUERY_PARAMETER = /^(select|order|limit|offset|(not\.)?(and|or))$|\./;
const FILTER =
  /^(not\.)?(eq|neq|gte?|lte?|i?like|i?match|in|is|isdistinct|cs|cd|ov|s[lr]|nx[lr]|adj|(pl|ph|w)?fts)(\((any|all|\w*)\))?\./;

/**
 * On GET and HEAD, a parameter with the name of an argument is that argument, even if its value looks like a filter
 * (`eq.1`), because it can be a search text. In PostgREST it would be a filter.
 */
function readCall(c: ApiContext, called: DatabaseFunction | undefined) {
  const parameters = readParameters(c.req.url);
  if (c.req.method === "POST") {
    const json = decodeBody(c.var.bytes, c.req.raw.headers) || "{}";
    return { sent: parsePayload(json), parameters };
  }
  const names = new Set(called?.arguments.map((argument) => argument.name));
  const isArgument = ([name, value]: Parameter) =>
    names.has(name) || !(QUERY_PARAMETER.test(name) || FILTER.test(value));
  return {
    sent: parsePayload(JSON.stringify(Object.fromEntries(parameters.filter(isArgument)))),
    parameters: parameters.filter((parameter) => !isArgument(parameter)),
  };
}

type Select = (called: DatabaseFunction, query: Query, shape: Shape | "none", wantsCount: boolean) => Sql;

const CALLED = sql`called`;

function selectTableRows(schemaCache: SchemaCache, tableName: string): Select {
  const table = findTable(schemaCache, tableName);
  return (_called, query, shape, wantsCount) => {
    const selection = { table, query, resources: resolveEmbeds(schemaCache, table, query), source: CALLED };
    const total = sql`${countAll(selection, wantsCount)} as total`;
    return selectResult(selectRows(selection), shape, total);
  };
}

/** JSON values have no columns, so they can only be limited and counted. Throws RestError 42703. */
const selectValues: Select = (called, query, shape, wantsCount) => {
  const column = columnIn(query);
  if (column !== undefined) {
    const hint = "The function returns JSON values without columns: use its arguments, limit and offset.";
    throw noColumn(called.name, column, hint);
  }
  const total = wantsCount ? sql`(select count(*)::int from ${CALLED}) as total` : sql`null::int as total`;
  return selectResult(sql`select json from ${CALLED}${limitOffset(query)}`, shape, total, sql`r.json`);
};

function columnIn({ select, filters, order, embedded }: Query): string | undefined {
  return [
    ...select.columns.map(({ column }) => column).filter((column) => column !== "*"),
    ...select.embeds.map(({ target }) => target),
    ...filters.flatMap(columnsOf),
    ...order.map(({ column }) => column),
    ...embedded.keys(),
  ][0];
}

function columnsOf(filter: Filter): string[] {
  return "members" in filter ? filter.members.flatMap(columnsOf) : [filter.column];
}

function callStatement(called: DatabaseFunction, sent: Payload, result: Sql): QueryConfig {
  const sentArguments = called.arguments.filter(({ name }) => sent.fields.includes(name));
  const columns = sentArguments.map(({ name, type }) => sql`${id(name)} ${raw(type)}`);
  const named = sentArguments.map(({ name }) => sql`${id(name)} => ${id("sent", name)}`);
  const from =
    sentArguments.length === 0
      ? empty
      : sql`json_to_recordset(${sent.json}) as sent (${join(columns)}), lateral `;
  const call = sql`${from}${id(SCHEMA, called.name)}(${join(named)})`;
  const rows =
    called.table === null ? sql`select f.json from ${call} as f (json)` : sql`select f.* from ${call} as f`;
  return sql`with ${CALLED} as (${rows}) ${result}`;
}
