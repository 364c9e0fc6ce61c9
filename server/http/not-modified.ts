import type { MiddlewareHandler } from "hono";
import { etag, RETAINED_304_HEADERS } from "hono/etag";

// Browsers update a cached page's headers from a 304, which must therefore keep the page's Content-Security-Policy.
// Otherwise, the page would get the default policy, which allows nothing.
const compare = etag({ retainedHeaders: [...RETAINED_304_HEADERS, "Content-Security-Policy"] });

/** Responds with 304 if the client already has the current version. */
export const notModified: MiddlewareHandler = (c, next) =>
  c.req.header("If-None-Match") === undefined ? next() : compare(c, next);
