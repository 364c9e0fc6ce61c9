import { Hono, type MiddlewareHandler } from "hono";
import type { Tokens } from "../auth/access-token.ts";
import { authContextOf, memberKey } from "../auth/auth-context.ts";
import { clientKey } from "../http/client-address.ts";
import { limitBody } from "../http/limit-body.ts";
import { limitConcurrency } from "../http/limit-concurrency.ts";
import type { Log } from "../http/log.ts";
import { requireFreeSpace } from "../http/require-free-space.ts";
import { RetryLaterError } from "../http/retry-later-error.ts";
import type { Database } from "../postgres/database.ts";
import { logFailure, retryLater, toRestError } from "./error-mapping.ts";
import { callFunction } from "./function-requests.ts";
import type { RestContext, RestEnv } from "./rest-env.ts";
import { badBody, quoted, RestError } from "./rest-error.ts";
import { findTable, readSchemaCache, SCHEMA } from "./schema-cache.ts";
import { tableRequests } from "./table-requests.ts";

export interface RestDependencies {
  database: Database;
  tokens: Tokens;
  log: Log;
  trustedProxies: number;
  isDiskFull?: (() => Promise<boolean>) | undefined;
  onWrite(): void;
}

type Middleware = MiddlewareHandler<RestEnv>;

const READS = new Set(["GET", "HEAD"]);
const MAX_VISITOR_BODY_BYTES = 16 * 1024;
const MAX_MEMBER_BODY_BYTES = 2 * 1024 * 1024;
// Together, these limits leave three of the pool's ten connections for pages and pictures.
const VISITOR_REQUESTS = { total: 3, perClient: 2, queue: 64 };
const MEMBER_REQUESTS = { total: 4, perClient: 2, queue: 64 };
const METHODS = "GET, HEAD, POST, PATCH, DELETE, OPTIONS";
const RPC_METHODS = "GET, HEAD, POST, OPTIONS";

/**
 * Serves the part of PostgREST's API that docs/decisions/015-data-api.md lists. Throws DatabaseUnavailableError if the
 * schema can't be read.
 */
export async function createRest({
  database,
  tokens,
  log,
  trustedProxies,
  isDiskFull,
  onWrite,
}: RestDependencies) {
  const schemaCache = await readSchemaCache(database);
  const { read, insert, update, remove } = tableRequests(database, schemaCache, onWrite);
  const call = callFunction(database, schemaCache);
  const rest = new Hono<RestEnv>();

  const isVisitor = (c: RestContext) => memberKey(c.var.caller) === undefined;
  const visitors = limitConcurrency<RestEnv>(VISITOR_REQUESTS, clientKey(trustedProxies));
  const members = limitConcurrency<RestEnv>(MEMBER_REQUESTS, (c) => memberKey(c.var.caller) ?? "");
  const limit: Middleware = (c, next) => (isVisitor(c) ? visitors : members)(c, next);
  const visitorBody = jsonBody(MAX_VISITOR_BODY_BYTES);
  const memberBody = jsonBody(MAX_MEMBER_BODY_BYTES);
  const body: Middleware = (c, next) => (isVisitor(c) ? visitorBody : memberBody)(c, next);

  /** Rejects visitors before the body is read, because they can't write (docs/specification.txt, §6). */
  const writer: Middleware = async (c, next) => {
    const { name } = findTable(schemaCache, c.req.param("table") ?? "");
    if (!isVisitor(c)) return next();
    throw new RestError(401, "42501", `permission denied for table ${name}`);
  };

  rest.onError((error, c) => {
    if (error instanceof RetryLaterError) return retryLater(error).toResponse();
    const restError = toRestError(error, c.var.caller?.role);
    if (restError.status >= 500) logFailure(log, error, restError, c.var.requestId);
    return restError.toResponse();
  });

  // The response has no CORS headers, so that browsers block calls from other origins.
  rest.options("*", () => new Response(null, { status: 204, headers: { allow: METHODS } }));

  // Only table routes need free space: functions are read-only, even when called with POST.
  if (isDiskFull !== undefined) rest.use("/:table", requireFreeSpace(isDiskFull));
  rest.use(async (c, next) => {
    const caller = await authContextOf(tokens, c.req.raw.headers);
    c.set("caller", caller);
    if (caller.role === "service_role" && !READS.has(c.req.method)) logServiceWrite(log, c);
    checkSchema(c);
    await next();
  });

  rest.get("/rpc/:name", limit, call);
  rest.post("/rpc/:name", body, limit, call);
  rest.all("/rpc/:name", (c) => {
    const message = `Cannot use the ${quoted(c.req.method)} method on RPC`;
    throw new RestError(405, "PGRST101", message, { headers: { allow: RPC_METHODS } });
  });

  rest.get("/:table", limit, read);
  rest.post("/:table", writer, body, limit, insert);
  rest.patch("/:table", writer, body, limit, update);
  rest.delete("/:table", writer, limit, remove);
  rest.all("/:table", (c) => {
    const message = `Unsupported HTTP method: ${quoted(c.req.method)}`;
    throw new RestError(405, "PGRST117", message, { headers: { allow: METHODS } });
  });

  rest.all("*", () => {
    throw new RestError(404, "PGRST125", "Invalid path specified in request URL");
  });

  return rest;
}

function jsonBody(maxSize: number): MiddlewareHandler {
  return limitBody(maxSize, () => {
    throw badBody(`The body is larger than ${maxSize} bytes`, 413);
  });
}

function checkSchema(c: RestContext): void {
  const schema = c.req.header(READS.has(c.req.method) ? "accept-profile" : "content-profile") ?? SCHEMA;
  if (schema === SCHEMA) return;
  throw new RestError(406, "PGRST106", `Invalid schema: ${quoted(schema)}`, {
    hint: `Only the following schemas are exposed: ${SCHEMA}`,
  });
}

function logServiceWrite(log: Log, c: RestContext): void {
  const { method, path } = c.req;
  // Log only the filter by id, because other filters may contain members' content.
  const row = /^eq\.([0-9a-f-]{36})$/.exec(c.req.query("id") ?? "")?.[1];
  log.info({ requestId: c.var.requestId, method, path, row }, "service_key.used");
}
