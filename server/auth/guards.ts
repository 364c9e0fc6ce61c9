import type { Context } from "hono";
import { type AuthContext, SessionEndedError } from "../postgres/database.ts";
import { authContextOf } from "./auth-context.ts";
import type { AuthEnv, Guard } from "./auth-env.ts";
import { badToken, GoTrueError, noAuthorization } from "./auth-error.ts";

/** The key is in every page and grants nothing, but a form on another site cannot send its header. */
export const requireKey: Guard = async (c, next) => {
  const apikey = c.req.header("apikey");
  // A bearer token beside it may have expired: the session is about to be refreshed.
  const headers = apikey ? new Headers({ apikey }) : c.req.raw.headers;
  await authContextOf(c.var.services.tokens, headers).catch((error: unknown) => {
    throw apikey ? noAuthorization("Invalid API key") : error;
  });
  await next();
};

export const requireMember: Guard = async (c, next) => {
  if (c.req.header("authorization") === undefined) throw noAuthorization();
  const { role, claims = {} } = await identify(c);
  const { sub, session_id, aud } = claims;
  if (typeof sub !== "string") throw new GoTrueError(403, "bad_jwt", "invalid claim: missing sub claim");
  if (role !== "authenticated" || aud !== "authenticated") throw badToken("role or audience do not fit");
  // Without a session there is nothing that a sign-out could end.
  if (typeof session_id !== "string") throw new SessionEndedError("The token names no session");
  const { database } = c.var.services;
  c.set("member", {
    userId: sub,
    sessionId: session_id,
    transaction: (work) => database.transaction({ role: "supabase_auth_admin", claims }, work),
  });
  await next();
};

/** GoTrue, internal/api/auth.go, requireAdmin. */
export const requireService: Guard = async (c, next) => {
  const { role } = await identify(c);
  if (role !== "service_role") throw new GoTrueError(403, "not_admin", "User not allowed");
  const { requestId, services } = c.var;
  const { method, path } = c.req;
  if (method !== "GET") services.log.info({ requestId, method, path }, "service_key.used");
  await next();
};

function identify(c: Context<AuthEnv>): Promise<AuthContext> {
  return authContextOf(c.var.services.tokens, c.req.raw.headers);
}
