import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";

/** Each route states how much it reads. Use it after the check of the client's right to send a body. */
export function limitBody(maxSize: number, onError: (c: Context) => never): MiddlewareHandler {
  const limit = bodyLimit({ maxSize, onError });
  return async (c, next) => {
    // Before Hono's middleware, which touches the body first: the connection would be closed with the body unread, and
    // the client might miss the response.
    if (Number(c.req.header("content-length")) > maxSize) onError(c);
    return limit(c, next);
  };
}
