import { errors, jwtVerify, SignJWT } from "jose";
import { LRUCache } from "lru-cache";

export interface Claims {
  role: string;
  sub?: string;
  session_id?: string;
  [claim: string]: unknown;
}

export type Tokens = ReturnType<typeof createTokens>;

const REMEMBERED_TOKENS = 1000;
/** The longest that Supabase lets an access token live. */
const MAX_LIFETIME_SECONDS = 7 * 24 * 3600;
/** How far the clocks of processes that share a secret may differ. */
const CLOCK_TOLERANCE_SECONDS = 10;

export function createTokens(secret: string) {
  const key = new TextEncoder().encode(secret);
  // A genuine signature stays genuine; the token's times are checked on every use.
  const genuine = new LRUCache<string, Claims>({ max: REMEMBERED_TOKENS });

  return {
    sign: (claims: Claims): Promise<string> =>
      new SignJWT(claims).setProtectedHeader({ alg: "HS256", typ: "JWT" }).sign(key),
    async verify(token: string): Promise<Claims> {
      const claims = genuine.get(token) ?? (await verifySignature(token, key));
      checkTimes(claims, Date.now() / 1000);
      genuine.set(token, claims);
      return claims;
    },
  };
}

async function verifySignature(token: string, key: Uint8Array): Promise<Claims> {
  try {
    // The algorithm is fixed: a token that says "none" or names another is refused (RFC 8725 §3.1).
    const { payload } = await jwtVerify<Claims>(token, key, { algorithms: ["HS256"] });
    return payload;
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new AuthenticationError("expired", "JWT expired");
    throw new AuthenticationError("invalid", "JWT cannot be verified");
  }
}

/** API keys may live for ever; a member's token names its end, within Supabase's own limit. */
function checkTimes({ role, exp, iat }: Claims, now: number): void {
  if (typeof exp === "number" && exp <= now) throw new AuthenticationError("expired", "JWT expired");
  if (role !== "authenticated") return;
  if (typeof exp !== "number" || exp > now + MAX_LIFETIME_SECONDS + CLOCK_TOLERANCE_SECONDS) {
    throw new AuthenticationError("invalid", "JWT lives too long");
  }
  if (typeof iat === "number" && iat > now + CLOCK_TOLERANCE_SECONDS) {
    throw new AuthenticationError("invalid", "JWT issued in the future");
  }
}

/** `role`: the token is genuine, but its role is not for clients. */
export type Refusal = "missing" | "expired" | "invalid" | "role";

export class AuthenticationError extends Error {
  override readonly name = "AuthenticationError";
  readonly refusal: Refusal;

  constructor(refusal: Refusal, message: string) {
    super(message);
    this.refusal = refusal;
  }
}
