import type { MiddlewareHandler } from "hono";
import type { Log } from "./log.ts";

const LONGEST_PATH = 200;

/** Logs one line per request, without the query, which has people's searches. */
export function accessLog(log: Log): MiddlewareHandler {
  return async (context, next) => {
    const start = performance.now();
    await next();
    const { req, res } = context;
    const requestId = context.get("requestId");
    const path = req.path.slice(0, LONGEST_PATH);
    const ms = Math.round((performance.now() - start) * 10) / 10;
    log.info({ requestId, method: req.method, path, status: res.status, ms }, "request");
  };
}
