import type { Database } from "../postgres/database.ts";
import { findFunction } from "./functions.ts";
import { parseAccept } from "./parse/accept.ts";
import { parseCallAddress, parseCallBody } from "./parse/arguments.ts";
import { readText } from "./parse/body.ts";
import { readParameters } from "./parse/parameters.ts";
import { parsePrefer } from "./parse/prefer.ts";
import { parseQuery } from "./parse/query.ts";
import { narrow } from "./parse/range.ts";
import { checkResult, readResponse } from "./responses.ts";
import type { RestContext } from "./rest-env.ts";
import { wrongCallMethod } from "./rest-error.ts";
import type { SchemaCache } from "./schema-cache.ts";
import { type Call, callStatement } from "./sql/call.ts";
import { onlyRow, type Result } from "./sql/result.ts";

export function functionRequests(database: Database, schemaCache: SchemaCache) {
  const { functions } = schemaCache;

  /** For functions that promise to change nothing; arguments stand in the address. */
  async function callByGet(c: RestContext): Promise<Response> {
    const name = c.req.param("name") ?? "";
    const overloads = functions.filter((each) => each.name === name);
    const known = new Set(overloads.flatMap((each) => each.arguments.map((argument) => argument.name)));
    const sent = parseCallAddress(readParameters(c.req.url), known);
    const called = findFunction(overloads, name, sent.arguments.names, c.var.caller.role);
    if (called.isVolatile) throw wrongCallMethod(c.req.method);
    return call(c, { called, ...sent });
  }

  async function callByPost(c: RestContext): Promise<Response> {
    const query = parseQuery(readParameters(c.req.url));
    const sent = parseCallBody(await readText(c.req.raw));
    const called = findFunction(functions, c.req.param("name") ?? "", sent.names, c.var.caller.role);
    return call(c, { called, query, arguments: sent });
  }

  async function call(
    c: RestContext,
    parts: Pick<Call, "called" | "arguments" | "query">,
  ): Promise<Response> {
    const { called, query } = parts;
    const shape = parseAccept(c.req.header("accept"));
    const page = narrow(query, c.req.method === "GET" ? c.req.header("range") : undefined);
    const statement = callStatement(schemaCache, {
      ...parts,
      query: { ...query, ...page },
      prefer: parsePrefer(c.req.header("prefer")),
      shape,
      isHead: c.req.method === "HEAD",
    });
    const checked = (result: Result) => {
      if (called.returns !== "void") checkResult(shape, result, result.rows);
      return result;
    };
    // What changes rows is undone when its result cannot be sent.
    const result = called.isVolatile
      ? await database.transaction(c.var.caller, async (client) =>
          checked(onlyRow(await client.query<Result>(statement))),
        )
      : checked(onlyRow<Result>((await database.read(c.var.caller, [statement]))[0]));
    if (called.returns === "void") return new Response(null, { status: 204 });
    return readResponse(result, shape, page.offset);
  }

  return { callByGet, callByPost };
}
