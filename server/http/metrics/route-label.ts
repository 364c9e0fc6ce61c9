import type { Context } from "hono";
import { routePath } from "hono/route";
import { PAGES } from "../../pages/cache-key.ts";

/** One of a fixed number, whatever is asked for: each is a time series in somebody's memory. */
export function routeName(context: Context): string {
  const { path } = context.req;
  if (PAGES.has(path)) return path;
  const pattern = routePath(context);
  if (path.startsWith("/lists/") || path.endsWith(".data")) return "data";
  // Of a mounted part the innermost route that was reached; what ended before one is counted under its mount.
  if (!pattern.endsWith("*")) return pattern;
  if (path.startsWith("/rest/v1/")) return "/rest/v1/*";
  if (path.startsWith("/auth/v1/")) return "/auth/v1/*";
  if (path.startsWith("/assets/")) return "/assets/*";
  return "other";
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

export function methodName(method: string): string {
  return METHODS.has(method) ? method : "other";
}
