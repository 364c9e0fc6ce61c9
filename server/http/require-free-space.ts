import type { MiddlewareHandler } from "hono";
import { RetryLaterError } from "./retry-later-error.ts";

const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/** While the disk is full, throws RetryLaterError for every request that isn't a GET, HEAD or OPTIONS request. */
export function requireFreeSpace(isDiskFull: () => Promise<boolean>): MiddlewareHandler {
  return async (c, next) => {
    const isWrite = !READS.has(c.req.method);
    if (isWrite && (await isDiskFull())) throw new RetryLaterError(507, "The server's disk is full", 10);
    await next();
  };
}
