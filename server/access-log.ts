import type { MiddlewareHandler } from "hono";
import type { Log } from "./log.ts";

/** Takes the log, returns a middleware that writes one line per request: id, method, path, status, milliseconds. */
export function accessLog(log: Log): MiddlewareHandler {
  return async (context, next) => {
    const start = performance.now();
    await next();
    log.info("request", {
      requestId: context.get("requestId"),
      method: context.req.method,
      // Without the query, which holds what people search for.
      path: context.req.path.slice(0, 200),
      status: context.res.status,
      ms: Math.round((performance.now() - start) * 10) / 10,
    });
  };
}
