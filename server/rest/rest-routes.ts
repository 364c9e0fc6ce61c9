import { Hono, type MiddlewareHandler } from "hono";
import type { Tokens } from "../auth/access-token.ts";
import { authContextOf } from "../auth/auth-context.ts";
import { diskSpace, statement, upload } from "../http/admission.ts";
import { AdmissionError } from "../http/admission-error.ts";
import type { Log } from "../http/log.ts";
import type { Database } from "../postgres/database.ts";
import { logFailure, notAdmitted, toRestError } from "./error-mapping.ts";
import { callFunction } from "./function-requests.ts";
import type { RestContext, RestEnv } from "./rest-env.ts";
import { badBody, quoted, RestError } from "./rest-error.ts";
import { findTable, readSchemaCache, SCHEMA } from "./schema-cache.ts";
import { tableRequests } from "./table-requests.ts";

export interface RestDependencies {
  database: Database;
  tokens: Tokens;
  log: Log;
  onWrite(): void;
}

const READS = new Set(["GET", "HEAD"]);
const MAX_BODY_BYTES = 1_048_576;
const METHODS = "GET, HEAD, POST, PATCH, DELETE, OPTIONS";

/** `/rest/v1`: the part of PostgREST that decision 038 lists. Throws DatabaseUnavailableError. */
export async function createRest({ database, tokens, log, onWrite }: RestDependencies) {
  const schemaCache = await readSchemaCache(database);
  const { read, insert, update, remove } = tableRequests(database, schemaCache, onWrite);
  const call = callFunction(database, schemaCache);
  const rest = new Hono<RestEnv>();

  const body = upload(MAX_BODY_BYTES, () => {
    throw badBody(`The body is larger than ${MAX_BODY_BYTES} bytes`, 413);
  });

  /** Runs before the body is read: visitors can't write (specification §6). */
  const writer: MiddlewareHandler<RestEnv> = async (c, next) => {
    const { name } = findTable(schemaCache, c.req.param("table") ?? "");
    if (c.var.caller.role !== "anon") return next();
    throw new RestError(401, "42501", `permission denied for table ${name}`);
  };

  rest.onError((error, c) => {
    if (error instanceof AdmissionError) return notAdmitted(error).toResponse();
    const restError = toRestError(error, c.var.caller?.role);
    if (restError.status >= 500) logFailure(log, error, restError, c.var.requestId);
    return restError.toResponse();
  });

  // No CORS headers: browsers then block calls from other origins.
  rest.options("*", () => new Response(null, { status: 204, headers: { allow: METHODS } }));

  rest.use(diskSpace);
  rest.use(async (c, next) => {
    const caller = await authContextOf(tokens, c.req.raw.headers);
    c.set("caller", caller);
    if (caller.role === "service_role" && !READS.has(c.req.method)) logServiceWrite(log, c);
    checkSchema(c);
    await next();
  });

  rest.get("/rpc/:name", statement, call);
  rest.post("/rpc/:name", body, statement, call);
  rest.all("/rpc/:name", (c) => {
    throw new RestError(405, "PGRST101", `Cannot use the ${quoted(c.req.method)} method on RPC`);
  });

  rest.get("/:table", statement, read);
  rest.post("/:table", writer, body, statement, insert);
  rest.patch("/:table", writer, body, statement, update);
  rest.delete("/:table", writer, statement, remove);
  rest.all("/:table", (c) => {
    const message = `Unsupported HTTP method: ${quoted(c.req.method)}`;
    throw new RestError(405, "PGRST117", message, { headers: { allow: METHODS } });
  });

  rest.all("*", () => {
    throw new RestError(404, "PGRST125", "Invalid path specified in request URL");
  });

  return rest;
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
  // Other filters may contain content.
  const row = /^eq\.([0-9a-f-]{36})$/.exec(c.req.query("id") ?? "")?.[1];
  log.info({ requestId: c.var.requestId, method, path, row }, "service_key.used");
}
