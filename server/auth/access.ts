import type { Context, MiddlewareHandler } from "hono";
import { type Caller, SessionEndedError } from "../postgres/database.ts";
import { CallerError, type Callers } from "./auth-context.ts";
import { GoTrueError } from "./auth-error.ts";

/** A signed-in member, as the claims of a genuine access token name him. */
export interface Member {
  userId: string;
  sessionId: string;
  /** As what the database sees him; it refuses the transaction when the session has ended. */
  caller: Caller;
}

/** What requests carry besides themselves. */
export interface AuthEnv {
  Variables: { requestId: string; member: Member };
}

/**
 * Takes the finder of callers, returns what refuses an `apikey` that is not genuine. None at all is let through:
 * the key is public and gives no right, every right comes from a password, a token or the service key.
 */
export function checkApiKey(callers: Callers): MiddlewareHandler<AuthEnv> {
  return async (c, next) => {
    const apikey = c.req.header("apikey") ?? "";
    if (apikey !== "") {
      await callers.identify(new Headers({ apikey })).catch((error: unknown) => {
        if (!(error instanceof CallerError)) throw error;
        throw new GoTrueError(401, "no_authorization", "Invalid API key");
      });
    }
    await next();
  };
}

/** Takes the finder of callers, returns what lets only members through and puts them at `c.get("member")`. */
export function requireMember(callers: Callers): MiddlewareHandler<AuthEnv> {
  return async (c, next) => {
    if (c.req.header("authorization") === undefined) throw noAuthorization();
    c.set("member", toMember(await identify(callers, c.req.raw.headers)));
    await next();
  };
}

/** Takes the finder of callers, returns what lets only the service key through (GoTrue, internal/api/auth.go, requireAdmin). */
export function requireService(callers: Callers): MiddlewareHandler<AuthEnv> {
  return async (c, next) => {
    const caller = await identify(callers, c.req.raw.headers);
    if (caller.role !== "service_role") throw new GoTrueError(403, "not_admin", "User not allowed");
    await next();
  };
}

async function identify(callers: Callers, headers: Headers): Promise<Caller> {
  try {
    return await callers.identify(headers);
  } catch (error) {
    if (!(error instanceof CallerError)) throw error;
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

function toMember(caller: Caller): Member {
  const { sub, session_id, aud } = caller.claims ?? {};
  if (typeof sub !== "string") throw new GoTrueError(403, "bad_jwt", "invalid claim: missing sub claim");
  if (caller.role !== "authenticated" || aud !== "authenticated")
    throw badToken("role or audience do not fit");
  // Without a session there is nothing that a sign-out could end.
  if (typeof session_id !== "string") throw new SessionEndedError("The token names no session");
  const asAuth: Caller = { role: "supabase_auth_admin", claims: caller.claims ?? {} };
  return { userId: sub, sessionId: session_id, caller: asAuth };
}

/** Takes a request, returns its id for the log. */
export function requestId(c: Context): string {
  return c.get("requestId") ?? "";
}
