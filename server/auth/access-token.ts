import { errors, jwtVerify, SignJWT } from "jose";

/** What a verified token says: at least a role; a member's also names the user (`sub`) and the session. */
export interface Claims {
  role: string;
  sub?: string;
  session_id?: string;
  [claim: string]: unknown;
}

/** Signs and verifies the JSON Web Tokens (RFC 7519, HS256) of the built-in backend. */
export interface Tokens {
  /** Takes claims, returns the compact token. `exp` and `iat` are the caller's (seconds). */
  sign(claims: Claims): Promise<string>;
  /** Takes a compact token, returns its claims. Throws TokenError. */
  verify(token: string): Promise<Claims>;
}

/** A token that cannot be trusted: `expired`, or `invalid` for every other reason. */
export class TokenError extends Error {
  override readonly name = "TokenError";
  readonly reason: "expired" | "invalid";

  constructor(reason: "expired" | "invalid", message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Takes the shared secret (any text of at least 32 bytes), returns the signer and verifier for it. */
export function createTokens(secret: string): Tokens {
  const key = new TextEncoder().encode(secret);
  return {
    sign: (claims) => new SignJWT(claims).setProtectedHeader({ alg: "HS256", typ: "JWT" }).sign(key),
    async verify(token) {
      try {
        // The algorithm is fixed: a token that says "none" or names another is refused (RFC 8725 §3.1).
        const { payload } = await jwtVerify(token, key, { algorithms: ["HS256"] });
        if (typeof payload.role !== "string") throw new TokenError("invalid", "JWT has no role claim");
        return payload as Claims;
      } catch (error) {
        if (error instanceof TokenError) throw error;
        if (error instanceof errors.JWTExpired) throw new TokenError("expired", "JWT expired");
        throw new TokenError("invalid", "JWT cannot be verified");
      }
    },
  };
}
