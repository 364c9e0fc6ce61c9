import type { Context } from "hono";
import { identifyCaller } from "../api/caller.ts";
import type { Pipeline } from "../api/pipeline.ts";
import { type AuthContext, SessionEndedError } from "../postgres/database.ts";
import type { AuthEnv } from "./auth-env.ts";
import { badToken, GoTrueError, noAuthorization } from "./auth-error.ts";

type Identify = (c: Context<AuthEnv>) => Promise<AuthContext>;

/** Creates the rules for who may use a route of `/auth/v1`. Each throws GoTrueError or AuthenticationError. */
export function createIdentifiers({ tokens, database, log }: Pick<Pipeline, "tokens" | "database" | "log">) {
  /**
   * Requires an API key or a bearer token. The public key isn't secret, but forms on other sites can't send it, because
   * they can't set headers.
   */
  const identifyKeyHolder: Identify = (c) => {
    const apikey = c.req.header("apikey");
    // Ignore the bearer token if there is a key: a client that refreshes its session may still send its expired token.
    const headers = apikey ? new Headers({ apikey }) : c.req.raw.headers;
    return identifyCaller(tokens, headers).catch((error: unknown) => {
      throw apikey ? noAuthorization("Invalid API key") : error;
    });
  };

  const identifyMember: Identify = async (c) => {
    if (c.req.header("authorization") === undefined) throw noAuthorization();
    const caller = await identifyCaller(tokens, c.req.raw.headers);
    const { role, claims = {} } = caller;
    const { sub, session_id, aud } = claims;
    if (typeof sub !== "string") throw new GoTrueError(403, "bad_jwt", "invalid claim: missing sub claim");
    if (role !== "authenticated" || aud !== "authenticated") throw badToken("wrong role or audience");
    // Signing out ends a session, so it could not invalidate a token that has none.
    if (typeof session_id !== "string") throw new SessionEndedError("The token has no session");
    c.set("member", {
      userId: sub,
      sessionId: session_id,
      transaction: (work) => database.transaction({ role: "supabase_auth_admin", claims }, work),
    });
    return caller;
  };

  /** Requires the service key, like `requireAdmin` in GoTrue's internal/api/auth.go, and logs its use except for GET. */
  const identifyServiceKey: Identify = async (c) => {
    const caller = await identifyCaller(tokens, c.req.raw.headers);
    if (caller.role !== "service_role") throw new GoTrueError(403, "not_admin", "User not allowed");
    const { method, path } = c.req;
    if (method !== "GET") log.info({ requestId: c.var.requestId, method, path }, "service_key.used");
    return caller;
  };

  /** For the addresses that browsers open themselves during a sign-in at a provider, without a key. */
  const acceptAnyone: Identify = async () => ({ role: "anon" });

  return { identifyKeyHolder, identifyMember, identifyServiceKey, acceptAnyone };
}
