import { randomUUID } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { connectionOf } from "./connection.ts";

declare module "hono" {
  interface ContextVariableMap {
    requestId: string;
  }
}

/** Adds `X-Request-Id`, and default headers that the response can override. */
export function commonHeaders(defaults: Record<string, string>): MiddlewareHandler {
  const headers = new Map(Object.entries(defaults));
  return (c, next) => {
    // Ignore the client's own `X-Request-Id`: it could be another request's, which would make the log misleading.
    const requestId = randomUUID();
    c.set("requestId", requestId);
    // Don't use `c.res.headers`: @hono/node-server sends a response faster if its headers stay a plain object.
    connectionOf(c)?.outgoing.setHeaders(headers).setHeader("X-Request-Id", requestId);
    return next();
  };
}
