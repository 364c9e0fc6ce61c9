import { createHash, timingSafeEqual } from "node:crypto";
import { invalid } from "./auth-error.ts";

/** What a client sends ahead, to prove later that it was the one that asked (RFC 7636 §4.3). */
export interface Challenge {
  method: "s256" | "plain";
  value: string;
}

export function readChallenge(value: string, method: string): Challenge | undefined {
  if (value === "" && method === "") return undefined;
  if (value === "" || method === "") {
    throw invalid("PKCE flow requires code_challenge_method and code_challenge");
  }
  if (value.length < 43 || value.length > 128) {
    throw invalid("code challenge has to be between 43 and 128 characters");
  }
  if (!/^[a-zA-Z0-9._~-]+$/.test(value)) {
    throw invalid(
      "code challenge can only contain alphanumeric characters, hyphens, periods, underscores and tildes",
    );
  }
  const known = method.toLowerCase();
  if (known !== "s256" && known !== "plain") throw invalid("Invalid code_challenge_method");
  return { method: known, value };
}

/** RFC 7636 §4.6. */
export function answersChallenge(challenge: Challenge, verifier: string): boolean {
  const derived =
    challenge.method === "plain" ? verifier : createHash("sha256").update(verifier).digest("base64url");
  const expected = Buffer.from(challenge.value);
  const actual = Buffer.from(derived);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
