import { randomUUID } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import type { RequestIdVariables } from "hono/request-id";

/** Ours alone: an id that a client chose could pass for another request's in the log. */
export const requestId: MiddlewareHandler<{ Variables: RequestIdVariables }> = async (context, next) => {
  const id = randomUUID();
  context.set("requestId", id);
  await next();
  context.res.headers.set("X-Request-Id", id);
};
