import { Hono } from "hono";
import { handleErrors } from "../api/api-errors.ts";
import { identifyCaller, memberKey } from "../api/caller.ts";
import type { ApiContext, ApiEnv, Pipeline } from "../api/pipeline.ts";
import { LIMITS } from "../config/limits.ts";
import { limitComplete } from "../http/limit-concurrency.ts";
import type { Log } from "../http/log.ts";
import type { AuthContext } from "../postgres/database.ts";
import { toRestError } from "./error-mapping.ts";
import { requestHandlers, respond } from "./handlers.ts";
import { checkAcceptsOpenApi, describeApi } from "./openapi.ts";
import { excerpt, RestError } from "./rest-error.ts";
import { findTable, type Operation, SCHEMA, type SchemaCache, type Table } from "./schema-cache.ts";

export interface RestDependencies {
  pipeline: Pipeline;
  schemaCache: SchemaCache;
  /** Called after a write that changed rows, because cached pages may then be out of date. */
  onWrite(): void;
}

const READS = new Set(["GET", "HEAD"]);
const ROOT_METHODS = "GET, HEAD, OPTIONS";
const RPC_METHODS = "GET, HEAD, POST, OPTIONS";
const METHODS: Record<Operation, string> = {
  select: "GET, HEAD",
  insert: "POST",
  update: "PATCH",
  delete: "DELETE",
};

// Hono's "/" is the path without a slash at its end, which clients of PostgREST send. "/:root{^$}" is the one with it.
const ROOT = ["/", "/:root{^$}"];

const isVisitor = (caller: AuthContext) => memberKey(caller) === undefined;

/** Serves the part of PostgREST's API that docs/decisions/015-data-api.md lists. */
export function createRest({ pipeline, schemaCache, onWrite }: RestDependencies) {
  const { protect, database, tokens, log, addressOf } = pipeline;
  logHiddenFunctions(schemaCache, log);
  const { read, call, insert, update, remove } = requestHandlers(database, schemaCache, onWrite);
  const rest = new Hono<ApiEnv>();

  async function identifyKeyHolder(c: ApiContext): Promise<AuthContext> {
    const caller = await identifyCaller(tokens, c.req.raw.headers);
    c.set("caller", caller);
    if (caller.role === "service_role" && !READS.has(c.req.method)) logServiceWrite(c);
    checkSchema(c);
    return caller;
  }

  /** Rejects visitors, because they can't write (docs/specification.txt, §6). */
  async function identifyWriter(c: ApiContext): Promise<AuthContext> {
    const caller = await identifyKeyHolder(c);
    const { name } = findTable(schemaCache, c.req.param("table") ?? "");
    if (isVisitor(caller)) throw new RestError(401, "42501", `permission denied for table ${name}`);
    return caller;
  }

  function logServiceWrite(c: ApiContext): void {
    const { method, path } = c.req;
    // Log only the filter by id, because other filters may contain members' content.
    const row = /^eq\.([0-9a-f-]{36})$/.exec(c.req.query("id") ?? "")?.[1];
    log.info({ requestId: c.var.requestId, method, path, row }, "service_key.used");
  }

  const { responses } = LIMITS;
  const { visitorData, memberData } = LIMITS.concurrency;
  const visitors = limitComplete<ApiEnv>(visitorData, addressOf, responses.visitors);
  const members = limitComplete<ApiEnv>(memberData, (c) => memberKey(c.var.caller) ?? "", responses.members);
  const limiter: typeof members = (c, next) => (isVisitor(c.var.caller) ? visitors : members)(c, next);
  const { bodies } = LIMITS;
  const body = {
    maxBytes: (caller: AuthContext) => (isVisitor(caller) ? bodies.visitorData : bodies.memberData),
  };

  rest.onError(
    handleErrors({
      log,
      event: "rest_request.failed",
      // An error before the caller is identified has no caller.
      format: (error, c) => toRestError(error, c.get("caller")?.role).getResponse(),
    }),
  );

  // Requests from allowed origins (API_ORIGINS) don't arrive here.
  const options = (allow: string) => new Response(null, { status: 204, headers: { allow } });
  rest.on("OPTIONS", ROOT, () => options(ROOT_METHODS));
  rest.options("/rpc/:name", () => options(RPC_METHODS));
  rest.options("/:table", (c) => options(methodsOf(findTable(schemaCache, c.req.param("table")))));

  rest.on("GET", ROOT, protect({ identify: identifyKeyHolder, limiter }), async (c) => {
    checkAcceptsOpenApi(c.req.header("accept"));
    await database.requireLiveSession(c.var.caller);
    const headers = {
      "content-type": "application/openapi+json; charset=utf-8",
      "cache-control": "no-store",
    };
    const body = JSON.stringify(describeApi(schemaCache, c.var.caller.role));
    return respond(c, { body, status: 200, headers });
  });

  // Functions for visitors and members only read, even when they are called with POST.
  rest.get("/rpc/:name", protect({ identify: identifyKeyHolder, limiter }), call);
  rest.post("/rpc/:name", protect({ identify: identifyKeyHolder, body, limiter }), call);
  rest.all("/rpc/:name", async (c) => {
    await identifyKeyHolder(c);
    const message = `Cannot use the ${excerpt(c.req.method)} method on RPC`;
    throw new RestError(405, "PGRST101", message, { headers: { allow: RPC_METHODS } });
  });

  rest.get("/:table", protect({ identify: identifyKeyHolder, limiter }), read);
  rest.post("/:table", protect({ identify: identifyWriter, body, limiter, disk: "grows" }), insert);
  rest.patch("/:table", protect({ identify: identifyWriter, body, limiter, disk: "grows" }), update);
  rest.delete("/:table", protect({ identify: identifyWriter, limiter, disk: "writes" }), remove);
  rest.all("/:table", async (c) => {
    await identifyKeyHolder(c);
    const table = findTable(schemaCache, c.req.param("table"));
    const message = `Unsupported HTTP method: ${excerpt(c.req.method)}`;
    throw new RestError(405, "PGRST117", message, { headers: { allow: methodsOf(table) } });
  });

  rest.all("*", async (c) => {
    await identifyKeyHolder(c);
    throw new RestError(404, "PGRST125", "Invalid path specified in request URL");
  });

  return rest;
}

/** The methods that at least one role can use. */
function methodsOf({ privileges }: Table): string {
  const granted = new Set(Object.values(privileges).flat());
  const operations = (Object.keys(METHODS) as Operation[]).filter((operation) => granted.has(operation));
  return [...operations.map((operation) => METHODS[operation]), "OPTIONS"].join(", ");
}

function logHiddenFunctions({ hiddenFunctions }: SchemaCache, log: Log): void {
  const granted = hiddenFunctions.filter(({ isGrantedByName }) => isGrantedByName);
  const functions = granted.map(({ name, reason }) => ({ name, reason }));
  if (functions.length > 0) log.warn({ functions }, "functions.not_exposed");
}

function checkSchema(c: ApiContext): void {
  const schemas = [c.req.header("accept-profile"), c.req.header("content-profile")];
  const schema = schemas.find((name) => name !== undefined && name !== SCHEMA);
  if (schema === undefined) return;
  throw new RestError(406, "PGRST106", `Invalid schema: ${excerpt(schema)}`, {
    hint: `Only the following schemas are exposed: ${SCHEMA}`,
  });
}
