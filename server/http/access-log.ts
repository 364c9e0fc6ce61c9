import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import type { Log } from "./log.ts";
import { createThrottle } from "./throttle.ts";

/** Adds a failure to the line about the request. A later failure gets a separate line. */
export type ReportFailure = (fields: object, event: string) => void;

declare module "hono" {
  interface ContextVariableMap {
    reportFailure: ReportFailure;
  }
}

const MAX_PATH_CHARACTERS = 200;
/** A proxy checks these every second. The metrics count them. */
const PROBES = /^\/(healthz|readyz)$/;

/**
 * Logs one line per request, except probes. The line about a failed request has the first failure's event and fields, but
 * at most once a second for the same route, event and reason; the others look like those of other requests. Omits the
 * query, which may contain a visitor's search.
 */
export function accessLog(log: Log): MiddlewareHandler {
  const throttle = createThrottle();
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
    const path = req.path.slice(0, MAX_PATH_CHARACTERS);
    const ms = Math.round((performance.now() - start) * 10) / 10;
    const request = { requestId, method: req.method, path, status: context.res.status, ms };
    const omitted =
      failure && throttle(`${routePath(context, -1)} ${failure.event} ${reasonOf(failure.fields)}`);
    if (failure === undefined || omitted === undefined) return log.info(request, "request");
    const fields = { ...request, ...failure.fields, status: context.res.status };
    log.error({ ...fields, ...(omitted > 0 && { omitted }) }, failure.event);
  };
}

const reasonOf = (fields: object) => String("reason" in fields ? fields.reason : "");
