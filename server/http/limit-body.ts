import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";

/** Limits the size of a route's request body. Mount it after authorization, because it may read the whole body. */
export function limitBody(maxSize: number, onError: (c: Context) => never): MiddlewareHandler {
  const limit = bodyLimit({ maxSize, onError });
  return async (c, next) => {
    // Check Content-Length here, because Hono's middleware accesses the body first. If a body was accessed but stays
    // unread, the connection is closed, and the client might not receive the response.
    if (Number(c.req.header("content-length")) > maxSize) onError(c);
    return limit(c, next);
  };
}
