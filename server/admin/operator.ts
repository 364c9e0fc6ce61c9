import * as v from "valibot";
import type { Tokens } from "../api/access-token.ts";
import { identifyCaller } from "../api/caller.ts";
import { GoTrueError } from "../auth/auth-error.ts";
import { type Database, SessionEndedError } from "../postgres/database.ts";
import { OPERATOR } from "./last-operator.ts";

export interface Operator {
  id: string;
  email: string;
  /** When the operator signed in. Refreshing the session doesn't change it. */
  signedInAt: Date;
}

/**
 * Returns the operator who sent a request. Reads the session and the role on every call, instead of trusting the token's
 * claims. Throws GoTrueError 403 for visitors and other members, and other errors if the token or the session is invalid.
 */
export type IdentifyOperator = (headers: Headers) => Promise<Operator>;

const notOperator = () => new GoTrueError(403, "not_admin", "Only operators can use this");

const READ_SESSION = `select u.email, u.raw_app_meta_data ->> 'role' = $3 as "isOperator", s.created_at as "signedInAt"
  from auth.sessions s join auth.users u on u.id = s.user_id
  where s.id = $1 and u.id = $2 and auth.session_is_live(s.id, u.id)`;

/** Identifies operators of the built-in backend. */
export function operatorInDatabase(database: Database, tokens: Tokens): IdentifyOperator {
  return async (headers) => {
    if (!headers.has("authorization")) throw notOperator();
    const { role, claims = {} } = await identifyCaller(tokens, headers);
    const { sub: id, session_id } = claims;
    if (role !== "authenticated" || typeof id !== "string") throw notOperator();
    // Signing out ends a session, so it could not invalidate a token that has none.
    if (typeof session_id !== "string") throw new SessionEndedError("The token has no session");
    const { rows } = await database.transaction({ role: "supabase_auth_admin", claims }, (client) =>
      client.query<{ email: string; isOperator: boolean | null; signedInAt: Date }>(READ_SESSION, [
        session_id,
        id,
        OPERATOR,
      ]),
    );
    const [session] = rows;
    if (!session) throw new SessionEndedError("The session has ended");
    const { email, isOperator, signedInAt } = session;
    if (!isOperator) throw notOperator();
    return { id, email, signedInAt };
  };
}

const CLAIMS = v.object({
  amr: v.array(v.object({ method: v.string(), timestamp: v.number() })),
});

const USER = v.object({
  id: v.string(),
  email: v.string(),
  app_metadata: v.object({ role: v.optional(v.unknown()) }),
  banned_until: v.nullish(v.string()),
});

const PROJECT_TIMEOUT_MS = 5_000;

/** Identifies operators of a Supabase project. The project's auth service checks the token and the session. */
export function operatorInProject({ url, key }: { url: string; key: string }): IdentifyOperator {
  return async (headers) => {
    const authorization = headers.get("authorization");
    if (authorization === null) throw notOperator();
    const response = await fetch(`${url}/auth/v1/user`, {
      headers: { apikey: key, authorization },
      signal: AbortSignal.timeout(PROJECT_TIMEOUT_MS),
    }).catch(() => {
      throw new GoTrueError(503, "request_timeout", "The Supabase project is not responding");
    });
    if (response.status >= 500) {
      throw new GoTrueError(503, "request_timeout", "The Supabase project is not responding");
    }
    // The public key is a valid token too, but no member's.
    if (!response.ok) throw response.status === 401 ? sessionEnded() : notOperator();
    const user = v.safeParse(USER, await response.json());
    if (!user.success || user.output.app_metadata.role !== OPERATOR) throw notOperator();
    const { id, email, banned_until } = user.output;
    // A ban doesn't end a project's sessions.
    if (banned_until && Date.parse(banned_until) > Date.now()) throw sessionEnded();
    return { id, email, signedInAt: signInTime(authorization) };
  };
}

const sessionEnded = () =>
  new GoTrueError(401, "session_not_found", "Session from session_id claim in JWT does not exist");

/**
 * Reads when the session began from the token's claim `amr`. The auth service has verified the token. Returns 1970 for a
 * token without the claim, so that its owner must sign in again.
 */
function signInTime(authorization: string): Date {
  const [, payload = ""] = authorization.split(".");
  const claims = v.safeParse(
    v.pipe(v.string(), v.parseJson(), CLAIMS),
    Buffer.from(payload, "base64url").toString(),
  );
  const entries = claims.success ? claims.output.amr : [];
  // `amr` also lists refreshes of the session.
  const times = entries.filter(({ method }) => method !== "token_refresh").map(({ timestamp }) => timestamp);
  return new Date(Math.max(0, ...times) * 1_000);
}
