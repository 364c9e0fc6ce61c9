import type { MiddlewareHandler } from "hono";
import { etag, RETAINED_304_HEADERS } from "hono/etag";

// A browser would put the policy of a 304 in the place of the page's own.
const compare = etag({ retainedHeaders: [...RETAINED_304_HEADERS, "Content-Security-Policy"] });

export const notModified: MiddlewareHandler = (context, next) =>
  context.req.header("If-None-Match") === undefined ? next() : compare(context, next);
