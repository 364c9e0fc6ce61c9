import { randomUUID } from "node:crypto";
import type { MiddlewareHandler } from "hono";

declare module "hono" {
  interface ContextVariableMap {
    requestId: string;
  }
}

/** Adds `X-Request-Id`, and the default headers that the response doesn't set itself. */
export function commonHeaders(defaults: Record<string, string>): MiddlewareHandler {
  return async (c, next) => {
    // Ignore an id from the client: it could copy another request's id and make the log misleading.
    const requestId = randomUUID();
    c.set("requestId", requestId);
    await next();
    const { headers } = c.res;
    headers.set("x-request-id", requestId);
    for (const [name, value] of Object.entries(defaults)) {
      if (!headers.has(name)) headers.set(name, value);
    }
  };
}
