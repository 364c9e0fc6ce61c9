import { LRUCache } from "lru-cache";
import type { QueryConfig } from "pg";
import type { ApiContext } from "../api/pipeline.ts";
import type { AuthContext, Database } from "../postgres/database.ts";
import { readParameters } from "./parse/query.ts";
import {
  type Incoming,
  type Mutation,
  parseCall,
  parseDelete,
  parseInsert,
  parseRead,
  parseUpdate,
  type Read,
  type Request,
} from "./parse/request.ts";
import { checkMutation, type ResponseParts, readResponse, writeResponse } from "./responses.ts";
import { RestError } from "./rest-error.ts";
import { findFunction, findTable, type SchemaCache } from "./schema-cache.ts";
import { type MutationResult, mutationStatement } from "./sql/mutations.ts";
import { callStatement, readStatement } from "./sql/reads.ts";
import type { Result } from "./sql/result.ts";

type Handler = (context: ApiContext) => Promise<Response>;

interface PreparedRead {
  request: Read;
  statement: QueryConfig;
}

/** Limits the URLs of prepared reads together. Their requests and statements take several times as much memory. */
const MAX_PREPARED_CHARACTERS = 1_000_000;

/** Returns the handlers of the requests for tables and functions. */
export function requestHandlers(database: Database, schemaCache: SchemaCache, onWrite: () => void) {
  const reads = new LRUCache<string, PreparedRead>({
    maxSize: MAX_PREPARED_CHARACTERS,
    sizeCalculation: (_, key) => key.length,
  });

  /** Remembers what it has parsed, because pages and scripts send the same few reads again and again. */
  function prepareRead(c: ApiContext): PreparedRead {
    const { url, method, raw } = c.req;
    const names = ["accept", "prefer", "range"];
    const key = [method, url, ...names.map((name) => raw.headers.get(name) ?? "")].join("\n");
    const known = reads.get(key);
    if (known !== undefined) return known;
    const incoming = toIncoming(c);
    const table = findTable(schemaCache, c.req.param("table") ?? "");
    const request = parseRead(incoming);
    const { text, values } = readStatement(schemaCache, table, request);
    const prepared = { request, statement: { text, values } };
    reads.set(key, prepared);
    return prepared;
  }

  const read: Handler = async (c) => {
    const { request, statement } = prepareRead(c);
    const { rows } = await database.read<Result>(contextOf(c, request), statement);
    return respond(c, readResponse(rows[0] as Result, request));
  };

  /**
   * Calls a database function with arguments from the body (POST) or from the URL (GET and HEAD). The other parameters
   * of the URL select from the rows that the function returns, as with a table.
   */
  const call: Handler = async (c) => {
    const name = c.req.param("name") ?? "";
    const names = schemaCache.functions.get(name)?.arguments.map((argument) => argument.name);
    const request = parseCall(toIncoming(c), new Set(names));
    const called = findFunction(schemaCache, name, request.sent.fields, c.var.caller.role);
    if (called.mayWrite && c.req.method !== "POST") throw needsPost(name);
    const statement = callStatement(schemaCache, called, request);
    const { rows } = await database.read<Result>(contextOf(c, request), statement);
    return respond(c, readResponse(rows[0] as Result, request));
  };

  const write =
    (parse: (incoming: Incoming) => Mutation): Handler =>
    async (c) => {
      const incoming = toIncoming(c);
      const table = findTable(schemaCache, c.req.param("table") ?? "");
      const request = parse(incoming);
      const statement = mutationStatement(schemaCache, table, request);
      const result = await database.transaction(contextOf(c, request), async (client) => {
        const { rows } = await client.query<MutationResult>(statement);
        // Check before the commit, so that a write is rolled back if its response can't be sent.
        return checkMutation(request, rows[0] as MutationResult);
      });
      if (result.affected > 0) onWrite();
      return respond(c, writeResponse(table, request, result));
    };

  return {
    read,
    call,
    insert: write(parseInsert),
    update: write(parseUpdate),
    remove: write(parseDelete),
  };
}

function needsPost(name: string): RestError {
  // PostgreSQL's code for a write in the read-only transaction in which PostgREST runs such a call.
  const message = `${name} may write: call it with POST`;
  return new RestError(405, "25006", message, { headers: { allow: "POST" } });
}

export function respond(c: ApiContext, { body, status, headers }: ResponseParts): Response {
  if (body === null) return new Response(body, { status, headers });
  const size = Buffer.byteLength(body);
  c.set("responseBytes", size);
  return new Response(body, { status, headers: { ...headers, "content-length": String(size) } });
}

function toIncoming(c: ApiContext): Incoming {
  const { method, url, raw } = c.req;
  return { method, parameters: readParameters(url), headers: raw.headers, bytes: c.get("bytes") };
}

function contextOf(c: ApiContext, { preferences }: Request): AuthContext {
  const timeZone = preferences.get("timezone");
  return timeZone === undefined ? c.var.caller : { ...c.var.caller, timeZone };
}
