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
  type Request,
} from "./parse/request.ts";
import { checkMutation, readResponse, writeResponse } from "./responses.ts";
import { findFunction, findTable, type SchemaCache } from "./schema-cache.ts";
import { type MutationResult, mutationStatement } from "./sql/mutations.ts";
import { callStatement, readStatement } from "./sql/reads.ts";
import type { Result } from "./sql/result.ts";

type Handler = (context: ApiContext) => Promise<Response>;

/** Returns the handlers of the requests for tables and functions. */
export function requestHandlers(database: Database, schemaCache: SchemaCache, onWrite: () => void) {
  const read: Handler = async (c) => {
    const incoming = toIncoming(c);
    const table = findTable(schemaCache, c.req.param("table") ?? "");
    const request = parseRead(incoming);
    const statement = readStatement(schemaCache, table, request);
    const { rows } = await database.read<Result>(contextOf(c, request), statement);
    return readResponse(rows[0] as Result, request);
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
    const statement = callStatement(schemaCache, called, request);
    const { rows } = await database.read<Result>(contextOf(c, request), statement);
    return readResponse(rows[0] as Result, request);
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
      return writeResponse(table, request, result);
    };

  return {
    read,
    call,
    insert: write(parseInsert),
    update: write(parseUpdate),
    remove: write(parseDelete),
  };
}

function toIncoming(c: ApiContext): Incoming {
  const { method, url, raw } = c.req;
  return { method, parameters: readParameters(url), headers: raw.headers, bytes: c.get("bytes") };
}

function contextOf(c: ApiContext, { preferences }: Request): AuthContext {
  const timeZone = preferences.get("timezone");
  return timeZone === undefined ? c.var.caller : { ...c.var.caller, timeZone };
}
