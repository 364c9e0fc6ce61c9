import { randomUUID } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import type { RequestIdVariables } from "hono/request-id";
import { addCommonHeaders } from "./common-headers.ts";

/** Ours alone: an id that a client chose could pass for another request's in the log. */
export const requestId: MiddlewareHandler<{ Variables: RequestIdVariables }> = (context, next) => {
  const id = randomUUID();
  context.set("requestId", id);
  addCommonHeaders(context, { "x-request-id": id });
  return next();
};
