import type { Log } from "../http/log.ts";
import { type AuthContext, SessionEndedError } from "../postgres/database.ts";
import { AuthenticationError, type Tokens } from "./access-token.ts";
import { authContextOf } from "./auth-context.ts";
import type { Guard, Member } from "./auth-env.ts";
import { GoTrueError } from "./auth-error.ts";

/** Refuses an `apikey` that is not genuine, on reads too. */
export function genuineKey(tokens: Tokens): Guard {
  return async (c, next) => {
    const apikey = c.req.header("apikey") ?? "";
    if (apikey !== "") {
      await authContextOf(tokens, new Headers({ apikey })).catch((error: unknown) => {
        if (!(error instanceof AuthenticationError)) throw error;
        throw new GoTrueError(401, "no_authorization", "Invalid API key");
      });
    }
    await next();
  };
}

/** The key is in every page and grants nothing, but a form on another site cannot send its header. */
export function requireKey(tokens: Tokens): Guard {
  return async (c, next) => {
    if (!c.req.header("apikey")) await identify(tokens, c.req.raw.headers);
    await next();
  };
}

export function requireMember(tokens: Tokens): Guard {
  return async (c, next) => {
    if (c.req.header("authorization") === undefined) throw noAuthorization();
    c.set("member", toMember(await identify(tokens, c.req.raw.headers)));
    await next();
  };
}

/** Lets only the service key through (GoTrue, internal/api/auth.go, requireAdmin). */
export function requireService(tokens: Tokens, log: Log): Guard {
  return async (c, next) => {
    const { role } = await identify(tokens, c.req.raw.headers);
    if (role !== "service_role") throw new GoTrueError(403, "not_admin", "User not allowed");
    const { method, path } = c.req;
    if (method !== "GET") log.info("service_key.used", { requestId: c.var.requestId, method, path });
    await next();
  };
}

async function identify(tokens: Tokens, headers: Headers): Promise<AuthContext> {
  try {
    return await authContextOf(tokens, headers);
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
