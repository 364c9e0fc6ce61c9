import { type Context, Hono } from "hono";
import { proxy } from "hono/proxy";
import { errorMessage } from "../config/error-message.ts";
import { clientAddress } from "../http/client-address.ts";
import type { Log } from "../http/log.ts";

const LONGEST_ANSWER_MS = 30_000;

/** Serves the project's `/rest/v1`, `/auth/v1` and `/storage/v1` on the site's own origin (contract, 'Running it'). */
export function createSupabaseProxy(url: string, trustedProxies: number, log: Log, onWrite: () => void) {
  const routes = new Hono();
  // Sign-ins, token refreshes and function calls don't change pages.
  routes.on(["POST", "PUT", "PATCH", "DELETE"], "/rest/v1/:table", async (context, next) => {
    await next();
    if (context.res.ok) onWrite();
  });
  // As in the built-in backend: feed readers and other sites may show pictures.
  routes.get("/storage/v1/object/public/*", async (context, next) => {
    await next();
    context.header("Cross-Origin-Resource-Policy", "cross-origin");
  });
  routes.on("ALL", ["/rest/v1/*", "/auth/v1/*", "/storage/v1/*"], async (context) => {
    const { raw } = context.req;
    const { pathname, search } = new URL(raw.url);
    try {
      return await proxy(url + pathname + search, {
        raw: new Request(raw, { headers: headersFor(context, trustedProxies) }),
        redirect: "manual",
        signal: AbortSignal.any([raw.signal, AbortSignal.timeout(LONGEST_ANSWER_MS)]),
      });
    } catch (error) {
      const requestId = context.get("requestId");
      // A request that the client aborted doesn't mean that the project is down.
      if (!raw.signal.aborted) log.warn({ requestId, reason: errorMessage(error) }, "project.unreachable");
      const message = "The Supabase project is not responding";
      return context.json({ code: "PGRST000", message, msg: message, details: null, hint: null }, 502);
    }
  });
  return routes;
}

/** `proxy()` removes hop-by-hop headers. */
function headersFor(context: Context, trustedProxies: number): Headers {
  const headers = new Headers(context.req.raw.headers);
  headers.delete("host");
  // Node has already handled it.
  headers.delete("expect");
  const address = clientAddress(context, trustedProxies);
  if (address === undefined) headers.delete("x-forwarded-for");
  else headers.set("x-forwarded-for", address);
  return headers;
}
