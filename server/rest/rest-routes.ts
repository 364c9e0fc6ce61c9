import { type Context, Hono, type MiddlewareHandler } from "hono";
import type { RequestIdVariables } from "hono/request-id";
import type { Tokens } from "../auth/access-token.ts";
import { createAuthenticator } from "../auth/auth-context.ts";
import { statement, upload } from "../http/admission.ts";
import type { Log } from "../http/log.ts";
import type { AuthContext, Database } from "../postgres/database.ts";
import { toRestError } from "./error-mapping.ts";
import { findFunction } from "./functions.ts";
import { parseAccept } from "./parse/accept.ts";
import { parsePayload, readText } from "./parse/body.ts";
import { parseCallAddress, parseCallBody } from "./parse/call.ts";
import { readParameters } from "./parse/parameters.ts";
import { parsePrefer } from "./parse/prefer.ts";
import { parseQuery, type Query } from "./parse/query.ts";
import { narrow } from "./parse/range.ts";
import { checkResult, deleteAnswer, insertAnswer, readAnswer, updateAnswer } from "./responses.ts";
import { badBody, notImplemented, quoted, RestError } from "./rest-error.ts";
import { findTable, readCatalogue } from "./schema-cache.ts";
import { type Call, callStatement } from "./sql/call.ts";
import { createReader } from "./sql/read.ts";
import { onlyRow, type Result, run, type Statement } from "./sql/statement.ts";
import {
  deleteStatement,
  insertStatement,
  updateStatement,
  type Write,
  type WriteResult,
} from "./sql/write.ts";
import { SCHEMA } from "./tables.ts";

/** What the data access needs. */
export interface RestDependencies {
  database: Database;
  tokens: Tokens;
  log: Log;
  /** Told the table after each write that changed a row and is committed. */
  onWrite(table: string): void;
}

/** What a request carries on its way through the routes. */
export interface RestEnv {
  Variables: { caller: AuthContext } & Partial<RequestIdVariables>;
}

type RestContext = Context<RestEnv>;

const READS = new Set(["GET", "HEAD"]);
const MAX_BODY_BYTES = 1_048_576;
const METHODS = "GET, HEAD, POST, PATCH, DELETE, OPTIONS";

/**
 * Takes what it needs, returns the routes of `/rest/v1`: the part of PostgREST that decision 011 tells of, every
 * refusal in PostgREST's own shape. Reads the catalogue first, once. Throws DatabaseUnavailableError.
 */
export async function createRest({
  database,
  tokens,
  log,
  onWrite,
}: RestDependencies): Promise<Hono<RestEnv>> {
  const catalogue = await readCatalogue(database);
  const authenticator = createAuthenticator(tokens);
  const reader = createReader(catalogue);
  const rest = new Hono<RestEnv>();
  const body = upload(MAX_BODY_BYTES, () => {
    throw badBody(`The body is larger than ${MAX_BODY_BYTES} bytes`, 413);
  });

  /** Before a body is read: a visitor writes nothing (specification §6). */
  const writer: MiddlewareHandler<RestEnv> = async (c, next) => {
    const { name } = findTable(catalogue, c.req.param("table") ?? "");
    if (c.var.caller.role !== "anon") return next();
    throw new RestError(401, "42501", `permission denied for table ${name}`);
  };

  rest.onError((error, c) => {
    const answer = toRestError(error, c.var.caller?.role);
    if (answer.status >= 500) logFailure(log, error, answer, c.var.requestId);
    return answer.toResponse();
  });

  // No origin but the site's own may call: no CORS header is ever sent, and the browser refuses the rest.
  rest.options("*", () => new Response(null, { status: 204, headers: { allow: METHODS } }));

  rest.use(async (c, next) => {
    const caller = await authenticator.identify(c.req.raw.headers);
    c.set("caller", caller);
    if (caller.role === "service_role" && !READS.has(c.req.method)) logServiceWrite(log, c);
    checkSchema(c);
    await next();
  });

  rest.all("/", () => {
    throw new RestError(404, "PGRST126", "Root endpoint metadata is disabled");
  });

  rest.get("/rpc/:name", statement, async (c) => {
    const name = c.req.param("name");
    const overloads = catalogue.functions.filter((each) => each.name === name);
    const known = new Set(overloads.flatMap((each) => each.arguments.map((argument) => argument.name)));
    const sent = parseCallAddress(readParameters(c.req.url), known);
    const called = findFunction(overloads, name, sent.names, c.var.caller.role);
    if (called.isVolatile) throw wrongMethod(c.req.method);
    return callFunction(c, { called, ...sent });
  });

  rest.post("/rpc/:name", body, statement, async (c) => {
    const query = parseQuery(readParameters(c.req.url));
    const sent = parseCallBody(await readText(c.req.raw));
    const called = findFunction(catalogue.functions, c.req.param("name"), sent.names, c.var.caller.role);
    return callFunction(c, { called, query, ...sent });
  });

  rest.all("/rpc/:name", (c) => {
    throw wrongMethod(c.req.method);
  });

  // Hono asks here for HEAD as well.
  rest.get("/:table", statement, async (c) => {
    const {
      statement: sql,
      shape,
      offset,
    } = reader({
      table: c.req.param("table"),
      url: c.req.url,
      method: c.req.method,
      accept: c.req.header("accept"),
      prefer: c.req.header("prefer"),
      range: c.req.header("range"),
    });
    const [answer] = await database.read(c.var.caller, [sql]);
    const result = onlyRow<Result>(answer);
    checkResult(shape, result, result.rows);
    return readAnswer(result, shape, offset);
  });

  rest.post("/:table", writer, body, statement, async (c) => {
    const write = toWrite(c);
    const payload = parsePayload(await readText(c.req.raw), write.query.columns);
    return insertAnswer(
      write,
      await carryOut(c.var.caller, write, insertStatement(catalogue, write, payload)),
    );
  });

  rest.patch("/:table", writer, body, statement, async (c) => {
    const write = toWrite(c);
    checkWhole(write.query);
    const payload = parsePayload(await readText(c.req.raw), write.query.columns);
    if (payload.list) throw badBody("An update takes one JSON object");
    return updateAnswer(
      write,
      await carryOut(c.var.caller, write, updateStatement(catalogue, write, payload)),
    );
  });

  rest.delete("/:table", writer, statement, async (c) => {
    const write = toWrite(c);
    checkWhole(write.query);
    return deleteAnswer(write, await carryOut(c.var.caller, write, deleteStatement(catalogue, write)));
  });

  rest.all("/:table", (c) => {
    const message = `Unsupported HTTP method: ${quoted(c.req.method)}`;
    throw new RestError(405, "PGRST117", message, { headers: { allow: METHODS } });
  });

  rest.all("*", () => {
    throw new RestError(404, "PGRST125", "Invalid path specified in request URL");
  });

  async function callFunction(
    c: RestContext,
    parts: Pick<Call, "called" | "arguments" | "query">,
  ): Promise<Response> {
    const { called, query } = parts;
    const shape = parseAccept(c.req.header("accept"));
    const page = narrow(query, c.req.method === "GET" ? c.req.header("range") : undefined);
    const statement = callStatement(catalogue, {
      ...parts,
      query: { ...query, ...page },
      prefer: parsePrefer(c.req.header("prefer")),
      shape,
      isHead: c.req.method === "HEAD",
    });
    const result = called.isVolatile
      ? await database.transaction(c.var.caller, async (client) => {
          const done = await run<Result>(client, statement);
          checkResult(shape, done, done.rows);
          return done;
        })
      : onlyRow<Result>((await database.read(c.var.caller, [statement]))[0]);
    if (called.returns === "void") return new Response(null, { status: 204 });
    checkResult(shape, result, result.rows);
    return readAnswer(result, shape, page.offset);
  }

  function toWrite(c: RestContext): Write {
    const parameters = readParameters(c.req.url);
    const table = findTable(catalogue, c.req.param("table") ?? "");
    const query = parseQuery(parameters);
    return {
      table,
      query,
      prefer: parsePrefer(c.req.header("prefer")),
      shape: parseAccept(c.req.header("accept")),
    };
  }

  async function carryOut(caller: AuthContext, write: Write, statement: Statement): Promise<WriteResult> {
    const result = await database.transaction(caller, async (client) => {
      const done = await run<WriteResult>(client, statement);
      checkResult(write.shape, done, write.prefer.return === "representation" ? done.rows : done.affected);
      return done;
    });
    if (result.affected > 0) onWrite(write.table.name);
    return result;
  }

  return rest;
}

// PostgREST 13 and later would touch every match, and return a part of them.
function checkWhole({ limit, offset }: Query): void {
  if (limit === undefined && offset === 0) return;
  throw notImplemented("An update or delete cannot be limited to a part of the rows that its filter finds");
}

function wrongMethod(method: string): RestError {
  return new RestError(405, "PGRST101", `Cannot use the ${quoted(method)} method on RPC`);
}

function checkSchema(c: RestContext): void {
  const reads = c.req.method === "GET" || c.req.method === "HEAD";
  const schema = c.req.header(reads ? "accept-profile" : "content-profile") ?? SCHEMA;
  if (schema === SCHEMA) return;
  throw new RestError(406, "PGRST106", `Invalid schema: ${quoted(schema)}`, {
    hint: `Only the following schemas are exposed: ${SCHEMA}`,
  });
}

/** The query names the row. */
function logServiceWrite(log: Log, c: RestContext): void {
  const { method, path, url } = c.req;
  log.info("service_key.used", { requestId: c.var.requestId, method, path: path + new URL(url).search });
}

// Messages stay out: PostgreSQL's and pg's may quote what a member wrote.
function logFailure(
  log: Log,
  error: Error,
  { status, code }: RestError,
  requestId: string | undefined,
): void {
  const frames =
    status === 500 ? { stack: error.stack?.split("\n").filter((line) => line.startsWith("    at ")) } : {};
  log.error("rest request failed", { requestId, status, code, error: error.name, ...frames });
}
