import type { MiddlewareHandler } from "hono";
import { etag, RETAINED_304_HEADERS } from "hono/etag";

// Keep the policy, because browsers replace the page's policy with the 304's.
const compare = etag({ retainedHeaders: [...RETAINED_304_HEADERS, "Content-Security-Policy"] });

/** Responds with 304 to a known ETag. */
export const notModified: MiddlewareHandler = (c, next) =>
  c.req.header("If-None-Match") === undefined ? next() : compare(c, next);
