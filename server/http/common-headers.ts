import { randomUUID } from "node:crypto";
import type { MiddlewareHandler } from "hono";

declare module "hono" {
  interface ContextVariableMap {
    requestId: string;
  }
}

/** Adds `X-Request-Id` and, unless already set, the `fixed` headers. */
export function commonHeaders(fixed: Record<string, string>): MiddlewareHandler {
  return async (c, next) => {
    // Don't accept the client's id, which could imitate another request's in the log.
    const requestId = randomUUID();
    c.set("requestId", requestId);
    await next();
    const { headers } = c.res;
    headers.set("x-request-id", requestId);
    for (const [name, value] of Object.entries(fixed)) {
      if (!headers.has(name)) headers.set(name, value);
    }
  };
}
