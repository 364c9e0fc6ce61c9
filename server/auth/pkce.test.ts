import { describe, expect, test } from "vitest";
import { matchesChallenge, readChallenge } from "./pkce.ts";

// The example in RFC 7636, appendix B.
const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

describe("PKCE challenges and verifiers", () => {
  test("a PKCE challenge accepts only its own verifier", () => {
    expect(matchesChallenge({ method: "s256", value: challenge }, verifier)).toBe(true);
    expect(matchesChallenge({ method: "plain", value: verifier }, verifier)).toBe(true);
    expect(matchesChallenge({ method: "s256", value: challenge }, challenge)).toBe(false);
    expect(matchesChallenge({ method: "plain", value: verifier }, challenge)).toBe(false);
    expect(matchesChallenge({ method: "s256", value: challenge }, `${verifier}x`)).toBe(false);
    expect(matchesChallenge({ method: "s256", value: challenge }, "")).toBe(false);
  });

  test("the method of a PKCE challenge is case-insensitive, and the challenge is optional", () => {
    expect(readChallenge(challenge, "s256")).toEqual({ method: "s256", value: challenge });
    expect(readChallenge(challenge, "S256")).toEqual({ method: "s256", value: challenge });
    expect(readChallenge("", "")).toBeUndefined();
  });

  test.each([
    [challenge, ""],
    ["", "s256"],
    ["x".repeat(42), "plain"],
    ["x".repeat(129), "plain"],
    [`${challenge}=`, "s256"],
    [`${challenge} `, "s256"],
    [challenge, "md5"],
    [challenge, "none"],
  ])("the PKCE challenge %j with the method %j is rejected", (value, method) => {
    expect(() => readChallenge(value, method)).toThrowError(expect.objectContaining({ status: 400 }));
  });
});
