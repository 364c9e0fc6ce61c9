import type { MiddlewareHandler } from "hono";
import type { Log } from "./log.ts";

/** What the log says of a request that has been answered. */
interface Answered {
  requestId: string;
  method: string;
  path: string;
  status: number;
  /** When it came, as `performance.now()` says. */
  start: number;
}

/** Takes the log and a request with its answer, writes one line: id, method, path, status, milliseconds. Returns the latter. */
export function logRequest(log: Log, { requestId, method, path, status, start }: Answered): number {
  const ms = Math.round((performance.now() - start) * 10) / 10;
  log.info("request", { requestId, method, path: path.slice(0, 200), status, ms });
  return ms;
}

/** Takes the log, returns a middleware that writes one line per request: id, method, path, status, milliseconds. */
export function accessLog(log: Log): MiddlewareHandler {
  return async (context, next) => {
    const start = performance.now();
    await next();
    logRequest(log, {
      requestId: context.get("requestId"),
      method: context.req.method,
      // Without the query, which holds what people search for.
      path: context.req.path,
      status: context.res.status,
      start,
    });
  };
}
