import { etag, RETAINED_304_HEADERS } from "hono/etag";

/** Answers 304 for a known ETag. Keeps the policy: browsers replace the page's own by that of a 304. */
export const notModified = etag({ retainedHeaders: [...RETAINED_304_HEADERS, "Content-Security-Policy"] });
