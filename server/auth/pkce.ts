import { hash, timingSafeEqual } from "node:crypto";
import { invalid } from "./auth-error.ts";

/** RFC 7636 §4.3. */
export interface Challenge {
  method: "s256" | "plain";
  value: string;
}

export function readChallenge(value: string, method: string): Challenge | undefined {
  if (value === "" && method === "") return undefined;
  const known = (["s256", "plain"] as const).find((each) => each === method.toLowerCase());
  if (known && /^[a-zA-Z0-9._~-]{43,128}$/.test(value)) return { method: known, value };
  throw invalid("PKCE flow requires a code_challenge of 43 to 128 characters and its code_challenge_method");
}

/** RFC 7636 §4.6. */
export function answersChallenge({ method, value }: Challenge, verifier: string): boolean {
  const derived = method === "plain" ? verifier : hash("sha256", verifier, "base64url");
  // Their digests, which are of one length.
  return timingSafeEqual(hash("sha256", derived, "buffer"), hash("sha256", value, "buffer"));
}
