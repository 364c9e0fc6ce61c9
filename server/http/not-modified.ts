import type { MiddlewareHandler } from "hono";
import { etag, RETAINED_304_HEADERS } from "hono/etag";

// Browsers update a cached response's headers from a 304, which must therefore keep the policies of the response.
// Otherwise, the response would get the default policies: nothing can load in it, and other sites can't show it.
const compare = etag({
  retainedHeaders: [...RETAINED_304_HEADERS, "Content-Security-Policy", "Cross-Origin-Resource-Policy"],
});

/** Responds with 304 if the client already has the current version. */
export const notModified: MiddlewareHandler = (c, next) =>
  c.req.header("If-None-Match") === undefined ? next() : compare(c, next);
