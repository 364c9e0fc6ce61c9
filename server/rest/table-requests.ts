import { sql } from "kysely";
import type { AuthContext, Database } from "../postgres/database.ts";
import { parsePayload, readText } from "./parse/body.ts";
import { parseAccept, parsePrefer, withRange } from "./parse/headers.ts";
import { readParameters } from "./parse/parameters.ts";
import { parseQuery } from "./parse/query.ts";
import { checkResult, readResponse, writeResponse } from "./responses.ts";
import type { RestContext } from "./rest-env.ts";
import { badBody } from "./rest-error.ts";
import { findTable, type SchemaCache } from "./schema-cache.ts";
import { compile, type Statement } from "./sql/compile.ts";
import { type Result, selectResult } from "./sql/result.ts";
import { countAll, selectionOf, selectRows, tableName } from "./sql/selection.ts";
import {
  deleteStatement,
  insertStatement,
  updateStatement,
  type Write,
  type WriteResult,
} from "./sql/write.ts";

type Handler = (context: RestContext) => Promise<Response>;

interface TableRequestParts {
  database: Database;
  schemaCache: SchemaCache;
  onWrite(): void;
}

export function tableRequests({ database, schemaCache, onWrite }: TableRequestParts) {
  const read: Handler = async (c) => {
    const { table, query, prefer, shape } = parseRequest(schemaCache, c);
    const isHead = c.req.method === "HEAD";
    // A range is for GET alone (RFC 9110 §14.2).
    const page = withRange(query, isHead ? undefined : c.req.header("range"));
    const selection = selectionOf(schemaCache, table, { ...query, ...page }, tableName(table));
    const statement = compile(
      selectResult({
        rows: selectRows(selection),
        shape: isHead ? "none" : shape,
        moreColumns: sql`${countAll(selection, prefer.wantsCount)} as total`,
      }),
    );
    const [result] = (await database.read<Result>(c.var.caller, statement)).rows as [Result];
    checkResult(shape, result, result.rows);
    return readResponse(result, shape, page.offset);
  };

  const insert: Handler = async (c) => {
    const write = parseRequest(schemaCache, c);
    const payload = parsePayload(await readText(c.req.raw), write.query.columns);
    const statement = insertStatement(schemaCache, write, payload);
    return writeResponse("POST", write, await run(c.var.caller, write, statement));
  };

  const update: Handler = async (c) => {
    const write = parseRequest(schemaCache, c);
    const payload = parsePayload(await readText(c.req.raw), write.query.columns);
    if (payload.list) throw badBody("An update takes one JSON object");
    const statement = updateStatement(schemaCache, write, payload);
    return writeResponse("PATCH", write, await run(c.var.caller, write, statement));
  };

  const remove: Handler = async (c) => {
    const write = parseRequest(schemaCache, c);
    const statement = deleteStatement(schemaCache, write);
    return writeResponse("DELETE", write, await run(c.var.caller, write, statement));
  };

  async function run(caller: AuthContext, write: Write, statement: Statement): Promise<WriteResult> {
    const result = await database.transaction(caller, async (client) => {
      const [done] = (await client.query<WriteResult>(statement)).rows as [WriteResult];
      // Before the commit: what cannot be sent back as asked for is undone.
      checkResult(write.shape, done, write.prefer.wantsRows ? done.rows : done.affected);
      return done;
    });
    if (result.affected > 0) onWrite();
    return result;
  }

  return { read, insert, update, remove };
}

function parseRequest(schemaCache: SchemaCache, c: RestContext): Write {
  const parameters = readParameters(c.req.url);
  return {
    table: findTable(schemaCache, c.req.param("table") ?? ""),
    query: parseQuery(parameters),
    prefer: parsePrefer(c.req.header("prefer")),
    shape: parseAccept(c.req.header("accept")),
  };
}
