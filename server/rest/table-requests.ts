import type { QueryConfig } from "pg";
import type { ApiContext } from "../api/pipeline.ts";
import type { Database } from "../postgres/database.ts";
import { decodeBody, parsePayload } from "./parse/body.ts";
import { parseAccept, parsePrefer, withRange } from "./parse/headers.ts";
import { parseQuery, readParameters, rejectUnused } from "./parse/query.ts";
import { checkResult, readResponse, writeResponse } from "./responses.ts";
import { badBody } from "./rest-error.ts";
import { findTable, type SchemaCache } from "./schema-cache.ts";
import { resolveEmbeds } from "./sql/embedding.ts";
import {
  deleteStatement,
  insertStatement,
  type Mutation,
  type MutationResult,
  updateStatement,
} from "./sql/mutations.ts";
import { type Result, selectResult } from "./sql/result.ts";
import { countAll, selectRows, tableName } from "./sql/selection.ts";
import { sql } from "./sql/sql.ts";

type Handler = (context: ApiContext) => Promise<Response>;

export function tableRequests(database: Database, schemaCache: SchemaCache, onWrite: () => void) {
  function parseRequest(c: ApiContext): Mutation {
    const parameters = readParameters(c.req.url);
    const table = findTable(schemaCache, c.req.param("table") ?? "");
    const query = parseQuery(parameters);
    return {
      table,
      query,
      prefer: parsePrefer(c.req.header("prefer")),
      shape: parseAccept(c.req.header("accept")),
      resources: resolveEmbeds(schemaCache, table, query),
    };
  }

  const read: Handler = async (c) => {
    const { table, query, resources, prefer, shape } = parseRequest(c);
    rejectUnused(query, ["columns", "onConflict"]);
    const isHead = c.req.method === "HEAD";
    // Ignore the Range header of HEAD requests: it is defined only for GET (RFC 9110 §14.2).
    const page = withRange(query, isHead ? undefined : c.req.header("range"));
    const selection = { table, query: { ...query, ...page }, resources, source: tableName(table) };
    const total = sql`${countAll(selection, prefer.wantsCount)} as total`;
    const statement = selectResult(selectRows(selection), isHead ? "none" : shape, total);
    const [result] = (await database.read<Result>(c.var.caller, statement)).rows as [Result];
    return readResponse(result, shape, page.offset);
  };

  const insert: Handler = async (c) => {
    const mutation = parseRequest(c);
    const payload = parsePayload(decodeBody(c.var.bytes, c.req.raw.headers), mutation.query.columns);
    return run(c, mutation, insertStatement(mutation, payload));
  };

  const update: Handler = async (c) => {
    const mutation = parseRequest(c);
    const payload = parsePayload(decodeBody(c.var.bytes, c.req.raw.headers), mutation.query.columns);
    rejectUnused(mutation.query, ["onConflict"]);
    if (payload.list) throw badBody("An update takes one JSON object");
    return run(c, mutation, updateStatement(mutation, payload));
  };

  const remove: Handler = async (c) => {
    const mutation = parseRequest(c);
    rejectUnused(mutation.query, ["columns", "onConflict"]);
    return run(c, mutation, deleteStatement(mutation));
  };

  async function run(c: ApiContext, mutation: Mutation, statement: QueryConfig): Promise<Response> {
    const result = await database.transaction(c.var.caller, async (client) => {
      const [done] = (await client.query<MutationResult>(statement)).rows as [MutationResult];
      // Check before the commit, so that a write is rolled back if its response can't be sent.
      checkResult(mutation.shape, done, mutation.prefer.wantsRows ? done.rows : done.affected);
      return done;
    });
    if (result.affected > 0) onWrite();
    return writeResponse(c.req.method, mutation, result);
  }

  return { read, insert, update, remove };
}
