import { LRUCache } from "lru-cache";
import type { AuthContext, Role } from "../postgres/database.ts";
import { isUuid } from "../postgres/uuid.ts";
import { type Claims, TokenError, type Tokens } from "./access-token.ts";

/** Why a request has no caller: nothing to go by, a token that is over, one that is worth nothing, a role that is not for clients. */
export type Refusal = "missing" | "expired" | "invalid" | "role";

/** A request whose key or token is not accepted. */
export class AuthenticationError extends Error {
  override readonly name = "AuthenticationError";
  readonly refusal: Refusal;

  constructor(refusal: Refusal, message: string) {
    super(message);
    this.refusal = refusal;
  }
}

/** Finds out who asks. */
export interface Authenticator {
  /**
   * Takes a request's headers, returns the caller: that of the bearer token if there is one, else that of the
   * `apikey`, as in front of hosted Supabase. Both must be genuine. Throws AuthenticationError.
   */
  identify(headers: Headers): Promise<AuthContext>;
}

/** A forged `role` claim reaches nothing else (access-rules, "The login role"). */
const CLIENT_ROLES: ReadonlySet<string> = new Set<Role>(["anon", "authenticated", "service_role"]);
const BEARER = /^bearer +(\S+)$/i;
const MAX_TOKEN_LENGTH = 8192;
const REMEMBERED_TOKENS = 1000;

/** Takes the verifier of tokens, returns the finder of authenticator. */
export function createAuthenticator(tokens: Tokens): Authenticator {
  // A signature once checked stays genuine; whether the token is over is looked at each time.
  const genuine = new LRUCache<string, Claims>({ max: REMEMBERED_TOKENS });

  async function verify(token: string): Promise<Claims> {
    const known = genuine.get(token);
    if (known !== undefined && !isOver(known)) return known;
    if (token.length > MAX_TOKEN_LENGTH) throw new AuthenticationError("invalid", "JWT cannot be verified");
    const claims = await tokens.verify(token).catch((error: unknown) => {
      throw error instanceof TokenError ? new AuthenticationError(error.reason, error.message) : error;
    });
    genuine.set(token, claims);
    return claims;
  }

  return {
    async identify(headers) {
      const apikey = headers.get("apikey") ?? "";
      const authorization = headers.get("authorization") ?? "";
      const bearer = BEARER.exec(authorization)?.[1] ?? "";
      if (authorization !== "" && bearer === "")
        throw new AuthenticationError("invalid", "Authorization holds no bearer token");
      if (apikey === "" && bearer === "")
        throw new AuthenticationError("missing", "No API key found in request");
      const ofKey = apikey === "" ? undefined : toAuthContext(await verify(apikey));
      if (ofKey !== undefined && (bearer === "" || bearer === apikey)) return ofKey;
      return toAuthContext(await verify(bearer));
    },
  };
}

function isOver(claims: Claims): boolean {
  return typeof claims.exp === "number" && claims.exp * 1000 <= Date.now();
}

function toAuthContext(claims: Claims): AuthContext {
  const { role, sub, session_id } = claims;
  if (!CLIENT_ROLES.has(role)) throw new AuthenticationError("role", "The role of the JWT is not accepted");
  const named = role !== "authenticated" || (typeof sub === "string" && isUuid(sub));
  const sessionNamed = session_id === undefined || (typeof session_id === "string" && isUuid(session_id));
  if (!named || !sessionNamed) throw new AuthenticationError("invalid", "Parsing claims failed");
  return { role: role as Role, claims };
}
