import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { proxy } from "hono/proxy";
import type { RequestIdVariables } from "hono/request-id";
import { errorMessage } from "../config/error-message.ts";
import { clientAddress } from "../http/client-address.ts";
import type { Log } from "../http/log.ts";

/** What stands in the place of the built-in backend. */
interface ForwardParts {
  /** The address of the Supabase project, without a trailing slash. */
  url: string;
  trustedProxies: number;
  log: Log;
  /** Called after a write that went through here. */
  onWrite(): void;
}

interface Environment {
  Variables: RequestIdVariables;
}

/** As long as a request of a member may take. */
const LONGEST_ANSWER_MS = 30_000;
const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Takes its parts, returns what hands `/rest/v1` and `/auth/v1` on to the project, so that a client finds them at the
 * site's own address wherever the data lies (contract, 'Running it'). A project that does not answer is a 502.
 */
export function createSupabaseProxy({ url, trustedProxies, log, onWrite }: ForwardParts): Hono<Environment> {
  const forwarding = new Hono<Environment>();
  forwarding.on("ALL", ["/rest/v1/*", "/auth/v1/*"], async (context) => {
    const { raw, method } = context.req;
    const { pathname, search } = new URL(raw.url);
    try {
      const answer = await proxy(url + pathname + search, {
        raw: new Request(raw, { headers: headersFor(context, trustedProxies) }),
        strictConnectionProcessing: true,
        redirect: "manual",
        signal: AbortSignal.any([raw.signal, AbortSignal.timeout(LONGEST_ANSWER_MS)]),
      });
      if (!READS.has(method) && answer.ok) onWrite();
      return answer;
    } catch (error) {
      // A Connection header that makes no sense.
      if (error instanceof HTTPException) return error.getResponse();
      const requestId = context.get("requestId");
      // Whoever has gone away says nothing of the project.
      if (!raw.signal.aborted) log.warn("project.unreachable", { requestId, reason: errorMessage(error) });
      const message = "The Supabase project does not answer";
      return context.json({ code: "PGRST000", message, msg: message, details: null, hint: null }, 502);
    }
  });
  return forwarding;
}

/** Returns what is handed on of the request's headers; what belongs to its connection, proxy() leaves out. */
function headersFor(context: Context<Environment>, trustedProxies: number): Headers {
  const headers = new Headers(context.req.raw.headers);
  headers.delete("host");
  // This server has answered it already.
  headers.delete("expect");
  const address = clientAddress(context, trustedProxies);
  if (address === undefined) headers.delete("x-forwarded-for");
  else headers.set("x-forwarded-for", address);
  return headers;
}
