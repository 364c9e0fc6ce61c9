import type { MiddlewareHandler } from "hono";
import { AdmissionError } from "./admission-error.ts";

const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Rejects writes while the disk is full. Throws AdmissionError. */
export function requireFreeSpace(isDiskFull: () => Promise<boolean>): MiddlewareHandler {
  return async (c, next) => {
    const isWrite = !READS.has(c.req.method);
    if (isWrite && (await isDiskFull())) throw new AdmissionError(507, "The server's disk is full", 10);
    await next();
  };
}
