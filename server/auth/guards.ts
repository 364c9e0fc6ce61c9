import type { Context, MiddlewareHandler } from "hono";
import { type AuthContext, SessionEndedError } from "../postgres/database.ts";
import { AuthenticationError, type Authenticator } from "./auth-context.ts";
import { GoTrueError } from "./auth-error.ts";

/** A signed-in member, as the claims of a genuine access token name him. */
export interface Member {
  userId: string;
  sessionId: string;
  /** As what the database sees him; it refuses the transaction when the session has ended. */
  authContext: AuthContext;
}

/** What requests carry besides themselves. */
export interface AuthEnv {
  Variables: { requestId: string; member: Member };
}

/**
 * the key is public and gives no right, every right comes from a password, a token or the service key.
 */
export function checkApiKey(authenticator: Authenticator): MiddlewareHandler<AuthEnv> {
  return async (c, next) => {
    const apikey = c.req.header("apikey") ?? "";
    if (apikey !== "") {
      await authenticator.identify(new Headers({ apikey })).catch((error: unknown) => {
        if (!(error instanceof AuthenticationError)) throw error;
        throw new GoTrueError(401, "no_authorization", "Invalid API key");
      });
    }
    await next();
  };
}

export function requireMember(authenticator: Authenticator): MiddlewareHandler<AuthEnv> {
  return async (c, next) => {
    if (c.req.header("authorization") === undefined) throw noAuthorization();
    c.set("member", toMember(await identify(authenticator, c.req.raw.headers)));
    await next();
  };
}

export function requireService(authenticator: Authenticator): MiddlewareHandler<AuthEnv> {
  return async (c, next) => {
    const { role } = await identify(authenticator, c.req.raw.headers);
    if (role !== "service_role") throw new GoTrueError(403, "not_admin", "User not allowed");
    await next();
  };
}

async function identify(authenticator: Authenticator, headers: Headers): Promise<AuthContext> {
  try {
    return await authenticator.identify(headers);
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error;
    if (error.refusal === "missing") throw noAuthorization();
    throw badToken(error.message);
  }
}

function noAuthorization(): GoTrueError {
  return new GoTrueError(401, "no_authorization", "This endpoint requires a valid Bearer token");
}

function badToken(reason: string): GoTrueError {
  return new GoTrueError(403, "bad_jwt", `invalid JWT: unable to parse or verify signature, ${reason}`);
}

function toMember({ role, claims = {} }: AuthContext): Member {
  const { sub, session_id, aud } = claims;
  if (typeof sub !== "string") throw new GoTrueError(403, "bad_jwt", "invalid claim: missing sub claim");
  if (role !== "authenticated" || aud !== "authenticated") throw badToken("role or audience do not fit");
  // Without a session there is nothing that a sign-out could end.
  if (typeof session_id !== "string") throw new SessionEndedError("The token names no session");
  return { userId: sub, sessionId: session_id, authContext: { role: "supabase_auth_admin", claims } };
}

/** Takes a request, returns its id for the log. */
export function requestId(c: Context): string {
  return c.get("requestId") ?? "";
}
