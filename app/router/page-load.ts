import { isRouteErrorResponse, type MiddlewareFunction } from "react-router";
import { failedLoadsContext } from "./failed-loads.ts";

type LoadResults = Record<string, { type: "data" | "error"; result: unknown }>;

/**
 * A client middleware for all pages. While the server is unreachable or responds with a 5xx status, the load stays
 * pending, which keeps the page on the screen. It ends when the load is retried (`failed-page-load.tsx`), or when the
 * reader opens another page.
 */
export const keepFailedLoadsPending: MiddlewareFunction<LoadResults> = async ({ request, context }, next) => {
  const results = await next();
  const hasFailed = Object.values(results).some(
    ({ type, result }) => type === "error" && isServerUnreachable(result),
  );
  if (request.method === "GET" && hasFailed) await context.get(failedLoadsContext).untilAborted(request);
  return results;
};

/** Redirects are thrown as responses, and missing pages as 404 errors. A retry would not change either. */
function isServerUnreachable(error: unknown): boolean {
  return isRouteErrorResponse(error) ? error.status >= 500 : !(error instanceof Response);
}
