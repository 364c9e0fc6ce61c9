import { hash, timingSafeEqual } from "node:crypto";
import { GoTrueError, invalid } from "./auth-error.ts";

/** The `code_challenge` and `code_challenge_method` of RFC 7636 §4.3. */
export interface Challenge {
  method: "s256" | "plain";
  value: string;
}

export function readChallenge(value: string, method: string): Challenge | undefined {
  if (value === "" && method === "") return undefined;
  const knownMethod = (["s256", "plain"] as const).find((supported) => supported === method.toLowerCase());
  if (knownMethod && /^[a-zA-Z0-9._~-]{43,128}$/.test(value)) return { method: knownMethod, value };
  throw invalid("PKCE flow requires a code_challenge of 43 to 128 characters and its code_challenge_method");
}

/** Compares a verifier with a challenge as RFC 7636 §4.6 requires. */
export function matchesChallenge({ method, value }: Challenge, verifier: string): boolean {
  const derived = method === "plain" ? verifier : hash("sha256", verifier, "base64url");
  // Compare digests, because timingSafeEqual throws if its inputs differ in length.
  return timingSafeEqual(hash("sha256", derived, "buffer"), hash("sha256", value, "buffer"));
}

/**
 * Returns `issued`, the stored code of a recovery link or of a sign-in at a provider, if the client may use it. Throws GoTrueError if the code is
 * unknown or expired, or if the verifier doesn't match the code's challenge.
 */
export function requireCode<Code extends { challenge: Challenge; isExpired: boolean }>(
  issued: Code | undefined,
  verifier: string,
): Code {
  if (!issued) {
    throw new GoTrueError(404, "flow_state_not_found", "invalid flow state, no valid flow state found");
  }
  if (issued.isExpired) {
    throw new GoTrueError(422, "flow_state_expired", "invalid flow state, flow state has expired");
  }
  if (!matchesChallenge(issued.challenge, verifier)) {
    const message = "code challenge does not match previously saved code verifier";
    throw new GoTrueError(400, "bad_code_verifier", message);
  }
  return issued;
}
