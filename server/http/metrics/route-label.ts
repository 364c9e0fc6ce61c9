import type { Context } from "hono";
import { routePath } from "hono/route";
import { PAGES } from "../../pages/cache-key.ts";

/**
 * Takes an answered request, returns the name under which it is counted. There is a fixed number of them, whatever
 * addresses are asked for: each one is a time series in the memory of whoever collects them.
 */
export function routeName(context: Context): string {
  const pattern = routePath(context);
  // Of a mounted part the innermost route that was reached; what ended before one is counted under its mount.
  if (!pattern.endsWith("*")) return pattern;
  const { path } = context.req;
  if (path.startsWith("/rest/v1/")) return "/rest/v1/*";
  if (path.startsWith("/auth/v1/")) return "/auth/v1/*";
  if (path.startsWith("/assets/")) return "/assets/*";
  if (path.startsWith("/lists/") || path.endsWith(".data")) return "data";
  return pageName(path);
}

/** Takes the path of a page, returns the name under which it is counted. */
export function pageName(path: string): string {
  return PAGES.has(path) ? path : "other";
}

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Takes a request's method, returns it, or `other` for one that somebody has made up. */
export function methodName(method: string): string {
  return methods.has(method) ? method : "other";
}
