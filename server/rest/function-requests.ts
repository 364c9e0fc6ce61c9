import { sql } from "kysely";
import type { QueryConfig } from "pg";
import type { Database } from "../postgres/database.ts";
import { decodeBody, type Payload, parsePayload } from "./parse/body.ts";
import { parseAccept, type Shape } from "./parse/headers.ts";
import { readParameters } from "./parse/parameters.ts";
import { readResponse } from "./responses.ts";
import type { RestContext } from "./rest-env.ts";
import { badBody } from "./rest-error.ts";
import { type DatabaseFunction, findFunction, SCHEMA, type SchemaCache } from "./schema-cache.ts";
import { compile } from "./sql/compile.ts";
import { type Result, selectResult } from "./sql/result.ts";

/**
 * Calls a database function with arguments from the body (POST) or from the URL (GET and HEAD). Unlike in PostgREST,
 * every query parameter of a GET is an argument, even one that looks like a filter (`eq.1`), and a POST ignores them.
 */
export function callFunction(database: Database, { functions }: SchemaCache) {
  return async (c: RestContext): Promise<Response> => {
    const json =
      c.req.method === "POST"
        ? decodeBody(c.var.bytes, c.req.raw.headers) || "{}"
        : JSON.stringify(Object.fromEntries(readParameters(c.req.url)));
    const sent = parsePayload(json);
    if (sent.list) throw badBody("A function takes one JSON object of arguments");
    const called = findFunction(functions, c.req.param("name") ?? "", sent.fields, c.var.caller.role);
    const shape = parseAccept(c.req.header("accept"));
    const statement = callStatement(called, sent, c.req.method === "HEAD" ? "none" : shape);
    const [result] = (await database.read<Result>(c.var.caller, statement)).rows as [Result];
    return readResponse(result, shape, 0);
  };
}

function callStatement(called: DatabaseFunction, sent: Payload, shape: Shape | "none"): QueryConfig {
  const given = called.arguments.filter(({ name }) => sent.fields.includes(name));
  const columns = given.map(({ name, type }) => sql`${sql.id(name)} ${sql.raw(type)}`);
  const named = given.map(({ name }) => sql`${sql.id(name)} => ${sql.id("sent", name)}`);
  const from =
    given.length === 0
      ? sql``
      : sql`json_to_recordset(${sent.json}) as sent (${sql.join(columns)}), lateral `;
  const rows = sql`select f.json from ${from}${sql.id(SCHEMA, called.name)}(${sql.join(named)}) as f (json)`;
  return compile(selectResult(rows, shape, sql`null::int as total`, sql`r.json`));
}
