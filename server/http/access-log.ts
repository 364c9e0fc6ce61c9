import type { MiddlewareHandler } from "hono";
import type { Log } from "./log.ts";

const MAX_PATH_CHARACTERS = 200;
/** A proxy checks these every second. `/readyz` is logged if the database doesn't respond. */
const PROBES = /^\/(healthz|readyz)$/;

/** Logs one line per request, except successful probes. Omits the query, which may contain a visitor's search. */
export function accessLog(log: Log): MiddlewareHandler {
  return async (context, next) => {
    const start = performance.now();
    await next();
    const { req, res } = context;
    if (PROBES.test(req.path) && (res.ok || req.path === "/healthz")) return;
    const requestId = context.get("requestId");
    const path = req.path.slice(0, MAX_PATH_CHARACTERS);
    const ms = Math.round((performance.now() - start) * 10) / 10;
    log.info({ requestId, method: req.method, path, status: res.status, ms }, "request");
  };
}
