import { Hono } from "hono";
import { proxy } from "hono/proxy";
import { errorMessage } from "../error-message.ts";
import type { Log } from "../log.ts";
import type { Settings } from "../settings.ts";
import { clientAddress } from "./auth/address.ts";

/** What stands in the place of the built-in backend. */
interface ForwardParts {
  /** The address of the Supabase project, without a trailing slash. */
  url: string;
  settings: Pick<Settings, "trustedProxies">;
  log: Log;
  /** Called after a write that went through here. */
  onWrite(): void;
}

/** As long as a request of a member may take. */
const LONGEST_ANSWER_MS = 30_000;
const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Takes its parts, returns what hands `/rest/v1` and `/auth/v1` on to the project, so that a client finds them at the
 * site's own address wherever the data lies (contract, 'Running it'). A project that does not answer is a 502.
 */
export function createForwarding({ url, settings, log, onWrite }: ForwardParts): Hono {
  const forwarding = new Hono();
  forwarding.on("ALL", ["/rest/v1/*", "/auth/v1/*"], async (context) => {
    const { raw, method } = context.req;
    const { pathname, search } = new URL(raw.url);
    const address = clientAddress(context, settings.trustedProxies);
    try {
      const answer = await proxy(url + pathname + search, {
        raw,
        headers: { ...context.req.header(), host: undefined, "x-forwarded-for": address },
        redirect: "manual",
        signal: AbortSignal.any([raw.signal, AbortSignal.timeout(LONGEST_ANSWER_MS)]),
      });
      if (!READS.has(method) && answer.ok) onWrite();
      return answer;
    } catch (error) {
      log.warn("project.unreachable", { path: pathname, reason: errorMessage(error) });
      const message = "The Supabase project does not answer";
      return context.json({ code: "PGRST000", message, msg: message, details: null, hint: null }, 502);
    }
  });
  return forwarding;
}
