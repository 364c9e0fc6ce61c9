import type { MiddlewareHandler } from "hono";
import { bearerAuth } from "hono/bearer-auth";

/** Without a token nobody may know: proxies on this machine make strangers look local. */
export function metricsAccess(token: string | undefined): MiddlewareHandler {
  return token === undefined
    ? async (context) => context.notFound()
    : bearerAuth({ token, realm: "metrics", invalidAuthenticationHeader: { message: "Unauthorized" } });
}
