import type { MiddlewareHandler } from "hono";
import type { Log } from "./log.ts";

const EVENT = "request";

/** Takes when a request came, as `performance.now()` says, returns the milliseconds since then, to a tenth. */
function since(start: number): number {
  return Math.round((performance.now() - start) * 10) / 10;
}

/** As the log shows it: without the query, which holds what people search for, and no longer than need be. */
const shown = (path: string) => path.slice(0, 200);

/** Takes the log, returns a middleware that writes one line per request: id, method, path, status, milliseconds. */
export function accessLog(log: Log): MiddlewareHandler {
  return async (context, next) => {
    const start = performance.now();
    await next();
    log.info(EVENT, {
      requestId: context.get("requestId"),
      method: context.req.method,
      path: shown(context.req.path),
      status: context.res.status,
      ms: since(start),
    });
  };
}

/** Writes the line of one request, takes its id and when it came, returns the milliseconds that it took. */
export type LogAnswered = (requestId: string, start: number) => number;

/**
 * Takes the log and the path of a page that was found, returns what writes the same line as `accessLog` for each
 * request for it: all of them have most of it in common.
 */
export function pageLog(log: Log, path: string): LogAnswered {
  const write = log.repeated(EVENT, { method: "GET", path: shown(path), status: 200 });
  return (requestId, start) => {
    const ms = since(start);
    write(`"requestId":"${requestId}","ms":${ms}`);
    return ms;
  };
}
