import { type Context, Hono } from "hono";
import { proxy } from "hono/proxy";
import { errorMessage } from "../config/error-message.ts";
import { clientAddress } from "../http/client-address.ts";
import type { Log } from "../http/log.ts";

const TIMEOUT_MS = 30_000;

/** Serves the project's APIs on the site's own origin, as docs/contract.md requires ("Running it"). */
export function createSupabaseProxy(url: string, trustedProxies: number, log: Log, onWrite: () => void) {
  const routes = new Hono();
  // Mark cached pages stale only after writes to tables. Sign-ins, token refreshes and function calls change no pages.
  // Writes from the site's own pages don't arrive here, because browsers send them directly to the project.
  routes.on(["POST", "PUT", "PATCH", "DELETE"], "/rest/v1/:table", async (context, next) => {
    await next();
    if (context.res.ok) onWrite();
  });
  // Allow feed readers and other sites to show pictures, as the built-in backend does.
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
        signal: AbortSignal.any([raw.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
    } catch (error) {
      const requestId = context.get("requestId");
      // The request also fails if the client aborts it, which doesn't mean that the project is down.
      if (!raw.signal.aborted) log.warn({ requestId, reason: errorMessage(error) }, "project.unreachable");
      const message = "The Supabase project is not responding";
      return context.json({ code: "PGRST000", message, msg: message, details: null, hint: null }, 502);
    }
  });
  return routes;
}

/** Returns the headers for the request to the project. Keeps hop-by-hop headers, because `proxy()` removes them later. */
function headersFor(context: Context, trustedProxies: number): Headers {
  const headers = new Headers(context.req.raw.headers);
  headers.delete("host");
  // `fetch` rejects requests with `Expect`, and the project needn't see it: Node has answered `100 Continue` already.
  headers.delete("expect");
  const address = clientAddress(context, trustedProxies);
  if (address === undefined) headers.delete("x-forwarded-for");
  else headers.set("x-forwarded-for", address);
  return headers;
}
