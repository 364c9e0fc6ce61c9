import type { Context, MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { LRUCache } from "lru-cache";
import type { Log } from "./log.ts";
import { createThrottle } from "./throttle.ts";

/** Adds a failure to the line about the request. A later failure gets a separate line. */
export type ReportFailure = (fields: object, event: string) => void;

declare module "hono" {
  interface ContextVariableMap {
    reportFailure: ReportFailure;
    /** The id of the member who sent the request. Unset for visitors and the service key. */
    memberId?: string | undefined;
  }
}

const MAX_PATH_CHARACTERS = 200;
/** A proxy checks these every second. The metrics count them. */
const PROBES = /^\/(healthz|readyz)$/;

/** The secret code of an invitation link. */
const SECRET = /^(\/join\/)[^.]+/;

const READS = new Set(["GET", "HEAD", "OPTIONS"]);
/** Functions read, whatever their method. */
const FUNCTIONS = /^\/rest\/v1\/rpc\//;
/** So that a flood of rejected requests repeats an address as rarely as operators need it. */
const CLIENT_PERIOD_MS = 60_000;
const MAX_CLIENTS = 10_000;

/**
 * Logs one line per request, except probes. The line about a failed request has the first failure's event and fields, but
 * at most once a second for the same route, event and reason; the others look like those of other requests. The line about
 * a write names the member. A line about a request that a limit rejected names the client, once per client and minute. Omits the query, which may contain a visitor's search.
 */
export function accessLog(log: Log, addressOf: (c: Context) => string): MiddlewareHandler {
  const throttle = createThrottle();
  const namedAt = new LRUCache<string, number>({ max: MAX_CLIENTS });
  function limitedClient(c: Context): { client?: string } {
    const client = c.get("memberId") ?? addressOf(c);
    const now = performance.now();
    if (now - (namedAt.get(client) ?? Number.NEGATIVE_INFINITY) < CLIENT_PERIOD_MS) return {};
    namedAt.set(client, now);
    return { client };
  }

  return async (context, next) => {
    const start = performance.now();
    const { req } = context;
    const requestId = context.get("requestId");
    const failures: { fields: object; event: string }[] = [];
    let isLogged = false;
    context.set("reportFailure", (fields, event) => {
      if (!isLogged) failures.push({ fields, event });
      else if (throttle(`later ${event}`) !== undefined) log.error({ requestId, ...fields }, event);
    });
    await next();
    isLogged = true;
    const [failure] = failures;
    if (PROBES.test(req.path) && failure === undefined) return;
    const path = req.path.replace(SECRET, "$1…").slice(0, MAX_PATH_CHARACTERS);
    const ms = Math.round((performance.now() - start) * 10) / 10;
    const { status } = context.res;
    const member = context.get("memberId");
    const isWrite = status < 400 && !READS.has(req.method) && !FUNCTIONS.test(req.path);
    const request = {
      requestId,
      method: req.method,
      path,
      status,
      ms,
      ...(isWrite && member !== undefined && { member }),
      // All other 503s report a failure.
      ...((status === 429 || (status === 503 && failure === undefined)) && limitedClient(context)),
    };
    const omitted =
      failure && throttle(`${routePath(context, -1)} ${failure.event} ${reasonOf(failure.fields)}`);
    if (failure === undefined || omitted === undefined) return log.info(request, "request");
    const fields = { ...request, ...failure.fields, status };
    log.error({ ...fields, ...(omitted > 0 && { omitted }) }, failure.event);
  };
}

const reasonOf = (fields: object) => String("reason" in fields ? fields.reason : "");
