import type { MiddlewareHandler } from "hono";
import { etag, RETAINED_304_HEADERS } from "hono/etag";

// Keeps the policy: browsers replace the page's own by that of a 304.
const compare = etag({ retainedHeaders: [...RETAINED_304_HEADERS, "Content-Security-Policy"] });

/** Answers 304 for a known ETag. */
export const notModified: MiddlewareHandler = (c, next) =>
  c.req.header("If-None-Match") === undefined ? next() : compare(c, next);
