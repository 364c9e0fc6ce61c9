import { errors, jwtVerify, SignJWT } from "jose";
import { LRUCache } from "lru-cache";

export interface Claims {
  role: string;
  sub?: string;
  session_id?: string;
  [claim: string]: unknown;
}

export type Tokens = ReturnType<typeof createTokens>;

const MAX_CACHED_TOKENS = 1000;
/** Supabase's limit for an access token. A member's token that stays valid for longer is rejected. */
const MAX_LIFETIME_SECONDS = 7 * 24 * 3600;
/**
 * Accepts tokens from this far in the future, as PostgREST does, because the clocks of processes that share a secret
 * can differ.
 */
const CLOCK_TOLERANCE_SECONDS = 30;
/** Members' tokens contain whole seconds, and clocks that are synchronized differ by less than this. */
const USUAL_SECONDS = 3;

/** Calls `onClockSkew` with the difference in seconds for each token that was issued in the future. */
export function createTokens(secret: string, onClockSkew: (seconds: number) => void = () => undefined) {
  const key = new TextEncoder().encode(secret);
  // The claims of tokens with a verified signature. Later uses of a token only check its times.
  const verified = new LRUCache<string, Claims>({ max: MAX_CACHED_TOKENS });

  return {
    sign: (claims: Claims): Promise<string> =>
      new SignJWT(claims).setProtectedHeader({ alg: "HS256", typ: "JWT" }).sign(key),
    async verify(token: string): Promise<Claims> {
      const claims = verified.get(token) ?? (await verifySignature(token, key));
      const now = Date.now() / 1000;
      const { role, iat } = claims;
      const skew = role === "authenticated" && typeof iat === "number" ? iat - now : 0;
      if (skew > USUAL_SECONDS) onClockSkew(Math.round(skew));
      checkTimes(claims, now);
      verified.set(token, claims);
      return claims;
    },
  };
}

async function verifySignature(token: string, key: Uint8Array): Promise<Claims> {
  try {
    // Don't trust the algorithm that the token names: it could be "none" (RFC 8725 §3.1).
    const { payload } = await jwtVerify<Claims>(token, key, { algorithms: ["HS256"] });
    return payload;
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new AuthenticationError("expired", "JWT expired");
    throw new AuthenticationError("invalid", "JWT cannot be verified");
  }
}

/**
 * API keys (role `anon` or `service_role`) may omit `exp`. A member's token (role `authenticated`) must expire within a
 * week, and must not be issued in the future.
 * Throws AuthenticationError.
 */
function checkTimes({ role, exp, iat }: Claims, now: number): void {
  if (typeof exp === "number" && exp <= now) throw new AuthenticationError("expired", "JWT expired");
  if (role !== "authenticated") return;
  if (typeof exp !== "number" || exp > now + MAX_LIFETIME_SECONDS + CLOCK_TOLERANCE_SECONDS) {
    throw new AuthenticationError("invalid", "JWT lifetime is too long");
  }
  if (typeof iat === "number" && iat > now + CLOCK_TOLERANCE_SECONDS) {
    throw new AuthenticationError("invalid", "JWT issued in the future");
  }
}

/** `role`: the signature is valid, but the token's role is not one that clients can use. */
export type Refusal = "missing" | "expired" | "invalid" | "role";

export class AuthenticationError extends Error {
  override readonly name = "AuthenticationError";
  readonly refusal: Refusal;

  constructor(refusal: Refusal, message: string) {
    super(message);
    this.refusal = refusal;
  }
}
