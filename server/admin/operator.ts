import * as v from "valibot";
import type { Tokens } from "../api/access-token.ts";
import { identifyCaller } from "../api/caller.ts";
import { GoTrueError } from "../auth/auth-error.ts";
import { type AuthContext, type Database, SessionEndedError } from "../postgres/database.ts";
import { OPERATOR } from "./last-operator.ts";

export interface Operator {
  id: string;
  email: string;
  /** When the operator signed in. Refreshing the session doesn't change it. */
  signedInAt: Date;
  /** Whether the session began with a passkey. Refreshing it doesn't change that. */
  usedPasskey: boolean;
}

/** Identifies operators in two steps, so that the second one, which waits for others, can run within a limit. */
export interface Operators {
  /** Verifies the token. Throws GoTrueError or AuthenticationError if it can't be an operator's. */
  identify(headers: Headers): Promise<AuthContext>;
  /**
   * Returns the operator who sent a request. Reads the session and the role on every call, instead of trusting the
   * token's claims. Throws GoTrueError 403 for other members, and other errors if the token or the session is invalid.
   */
  find(caller: AuthContext, headers: Headers): Promise<Operator>;
}

const notOperator = () => new GoTrueError(403, "not_admin", "Only operators can use this");

const READ_SESSION = `select u.id, u.email, u.raw_app_meta_data ->> 'role' = $3 as "isOperator", s.created_at as "signedInAt",
    exists (select from auth.mfa_amr_claims c where c.session_id = s.id and c.authentication_method = 'passkey')
      as "usedPasskey"
  from auth.sessions s join auth.users u on u.id = s.user_id
  where s.id = $1 and u.id = $2 and auth.session_is_live(s.id, u.id)`;

/** Identifies operators of the built-in backend. */
export function operatorsInDatabase(database: Database, tokens: Tokens): Operators {
  return {
    async identify(headers) {
      if (!headers.has("authorization")) throw notOperator();
      const caller = await identifyCaller(tokens, headers);
      if (caller.role !== "authenticated") throw notOperator();
      // Signing out ends a session, so it could not invalidate a token that has none.
      if (caller.claims?.["session_id"] === undefined)
        throw new SessionEndedError("The token has no session");
      return caller;
    },
    async find({ claims = {} }) {
      const { sub, session_id } = claims;
      const statement = { text: READ_SESSION, values: [session_id, sub, OPERATOR] };
      const { rows } = await database.read<SessionRow>({ role: "supabase_auth_admin", claims }, statement);
      const [session] = rows;
      if (!session) throw new SessionEndedError("The session has ended");
      const { isOperator, ...operator } = session;
      if (!isOperator) throw notOperator();
      return operator;
    },
  };
}

interface SessionRow extends Operator {
  isOperator: boolean | null;
}

const CLAIMS = v.object({
  sub: v.optional(v.string()),
  session_id: v.optional(v.string()),
  amr: v.optional(v.array(v.object({ method: v.string(), timestamp: v.number() })), []),
});

type Claims = v.InferOutput<typeof CLAIMS>;

const USER = v.object({
  id: v.string(),
  email: v.string(),
  app_metadata: v.object({ role: v.optional(v.unknown()) }),
  banned_until: v.nullish(v.string()),
});

const PROJECT_TIMEOUT_MS = 5_000;

/** Identifies operators of a Supabase project. The project's auth service checks the token and the session. */
export function operatorsInProject({ url, key }: { url: string; key: string }): Operators {
  return {
    // Only the project can verify the token, so requests are limited by address.
    async identify(headers) {
      if (!headers.has("authorization")) throw notOperator();
      return { role: "anon" };
    },
    find: (_caller, headers) => findInProject(url, key, headers.get("authorization") ?? ""),
  };
}

async function findInProject(url: string, key: string, authorization: string): Promise<Operator> {
  const response = await fetch(`${url}/auth/v1/user`, {
    headers: { apikey: key, authorization },
    signal: AbortSignal.timeout(PROJECT_TIMEOUT_MS),
  }).catch(() => {
    throw new GoTrueError(503, "request_timeout", "The Supabase project is not responding");
  });
  if (response.status === 429 || response.status >= 500) {
    throw new GoTrueError(503, "request_timeout", "The Supabase project is not responding");
  }
  const claims = claimsIn(authorization);
  // Supabase Auth responds with 403 to the token of an ended session and to API keys. A key names no member.
  if (!response.ok) throw claims.sub === undefined ? notOperator() : sessionEnded();
  // Supabase Auth accepts a token without a session. Signing out could not invalidate it.
  if (claims.session_id === undefined) throw sessionEnded();
  const user = v.safeParse(USER, await response.json());
  if (!user.success || user.output.app_metadata.role !== OPERATOR) throw notOperator();
  const { id, email, banned_until } = user.output;
  // A ban doesn't end a project's sessions.
  if (banned_until && Date.parse(banned_until) > Date.now()) throw sessionEnded();
  return { id, email, ...beginningOf(claims) };
}

const sessionEnded = () =>
  new GoTrueError(401, "session_not_found", "Session from session_id claim in JWT does not exist");

/** Reads a token's claims without verifying them. Returns no claims if the token is malformed. */
function claimsIn(authorization: string): Claims {
  const [, payload = ""] = authorization.split(".");
  const claims = v.safeParse(
    v.pipe(v.string(), v.parseJson(), CLAIMS),
    Buffer.from(payload, "base64url").toString(),
  );
  return claims.success ? claims.output : { amr: [] };
}

/**
 * Finds out when and how the session began. The auth service has verified the token. Returns 1970 for a token without the
 * claim `amr`, so that its owner must sign in again.
 */
function beginningOf({ amr }: Claims): Pick<Operator, "signedInAt" | "usedPasskey"> {
  // `amr` also lists refreshes of the session.
  const times = amr.filter(({ method }) => method !== "token_refresh").map(({ timestamp }) => timestamp);
  return {
    signedInAt: new Date(Math.max(0, ...times) * 1_000),
    usedPasskey: amr.some(({ method }) => method === "passkey"),
  };
}
