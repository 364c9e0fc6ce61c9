import { expect, test } from "vitest";
import { missingParts } from "./compatibility.ts";

const COMPLETE = {
  issuer: "https://id.example.com",
  response_types_supported: ["code", "id_token"],
  id_token_signing_alg_values_supported: ["RS256"],
  code_challenge_methods_supported: ["plain", "S256"],
  token_endpoint_auth_methods_supported: ["client_secret_post"],
  scopes_supported: ["openid", "email", "profile"],
};

test("a provider that lists everything that the site needs, or nothing, has no problem", () => {
  expect(missingParts(COMPLETE)).toEqual([]);
  expect(missingParts({ issuer: COMPLETE.issuer })).toEqual([]);
});

test.each([
  [{ response_types_supported: ["id_token"] }, "authorization code flow"],
  [{ id_token_signing_alg_values_supported: ["HS256", "none"] }, "choose RS256"],
  [{ code_challenge_methods_supported: ["plain"] }, "S256"],
  [{ token_endpoint_auth_methods_supported: ["private_key_jwt"] }, "confidential client"],
  [{ scopes_supported: ["openid", "profile"] }, "the scope email"],
])("%j is a problem, with what to change", (changes, text) => {
  expect(missingParts({ ...COMPLETE, ...changes })).toEqual([expect.stringContaining(text)]);
});
