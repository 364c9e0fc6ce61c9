import type { MiddlewareHandler } from "hono";
import type { Log } from "./log.ts";

const LONGEST_PATH = 200;

/** One line per request. The query stays out: it holds what people search for. */
export function accessLog(log: Log): MiddlewareHandler {
  return async (context, next) => {
    const start = performance.now();
    await next();
    log.info("request", {
      requestId: context.get("requestId"),
      method: context.req.method,
      path: context.req.path.slice(0, LONGEST_PATH),
      status: context.res.status,
      ms: Math.round((performance.now() - start) * 10) / 10,
    });
  };
}
