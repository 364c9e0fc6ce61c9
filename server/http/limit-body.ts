import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";

/** Limits the size of a route's request body. Mount it after authorisation. */
export function limitBody(maxSize: number, onError: (c: Context) => never): MiddlewareHandler {
  const limit = bodyLimit({ maxSize, onError });
  return async (c, next) => {
    // Check before Hono's middleware, which touches the body first: that would close the connection with the body
    // unread, and the client might miss the response.
    if (Number(c.req.header("content-length")) > maxSize) onError(c);
    return limit(c, next);
  };
}
