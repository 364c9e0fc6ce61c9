import { decodeJwt } from "jose";
import { expect } from "vitest";
import type { Claims } from "../../server/api/access-token.ts";
import {
  type Attack,
  type Attempts,
  encodeJwtPart,
  forgeToken,
  inAnHour,
  startAttacks,
  testAttempts,
} from "../support/attacks.ts";

const { auth, situation } = await startAttacks();

function readUser(token: string, status: number | number[]): Attack {
  return { path: "user", method: "GET", headers: { authorization: `Bearer ${token}` }, status };
}

const tokens: Attempts = {
  "the algorithm none": ({ victimToken }) =>
    readUser(`${encodeJwtPart({ alg: "none", typ: "JWT" })}.${encodeJwtPart(decodeJwt(victimToken))}.`, 403),
  "the algorithm nOnE": ({ victimToken }) =>
    readUser(`${encodeJwtPart({ alg: "nOnE" })}.${encodeJwtPart(decodeJwt(victimToken))}.`, 403),
  "the algorithm none and the old signature": ({ victimToken }) =>
    readUser(`${encodeJwtPart({ alg: "none" })}.${victimToken.split(".").slice(1).join(".")}`, 403),
  "the public API key as the signing secret": ({ victimToken, keys }) =>
    readUser(forgeToken({ alg: "HS256" }, decodeJwt(victimToken), keys.anonKey), 403),
  "a NUL character as the signing secret": ({ victimToken }) =>
    readUser(forgeToken({ alg: "HS256" }, decodeJwt(victimToken), "\0"), 403),
  "the right secret with another algorithm": ({ victimToken, keys }) =>
    readUser(forgeToken({ alg: "HS512" }, decodeJwt(victimToken), keys.jwtSecret, "sha512"), 403),
  "an HMAC that claims to be RS256": ({ victimToken, keys }) =>
    readUser(forgeToken({ alg: "RS256" }, decodeJwt(victimToken), keys.jwtSecret), 403),
  "the attacker's own key in the header": ({ victimToken }) => {
    const key = { kty: "oct", k: Buffer.from("mine").toString("base64url") };
    return readUser(forgeToken({ alg: "HS256", jwk: key }, decodeJwt(victimToken), "mine"), 403);
  },
  "the URL of the attacker's key in the header": ({ victimToken }) =>
    readUser(
      forgeToken({ alg: "HS256", jku: "https://evil.example/jwks" }, decodeJwt(victimToken), "mine"),
      403,
    ),
  "a file path as the key id in the header": ({ victimToken }) =>
    readUser(forgeToken({ alg: "HS256", kid: "../../../../dev/null" }, decodeJwt(victimToken), ""), 403),
  "an unknown critical header": ({ victimToken, keys }) =>
    readUser(forgeToken({ alg: "HS256", crit: ["x"], x: 1 }, decodeJwt(victimToken), keys.jwtSecret), 403),
  "the victim's claims under the attacker's signature": ({ victimToken, attackerToken }) => {
    const [header, , signature] = attackerToken.split(".");
    return readUser(`${header}.${victimToken.split(".")[1]}.${signature}`, 403);
  },
  "a truncated signature": ({ victimToken }) => readUser(victimToken.slice(0, -10), 403),
  "no signature": ({ victimToken }) => readUser(victimToken.split(".").slice(0, 2).join("."), 403),
  "the letter x instead of a token": () => readUser("x", 403),
  "100,000 letters instead of a token": () => readUser("x".repeat(100_000), 403),
  "an expiry in the past": async ({ victimToken }) =>
    readUser(await auth.tokens.sign({ ...claimsOf(victimToken), exp: inAnHour() - 7200 }), 403),
  "a not-before time in the future": async ({ victimToken }) =>
    readUser(await auth.tokens.sign({ ...claimsOf(victimToken), nbf: inAnHour() }), 403),
  "no expiry": async ({ victimToken }) => {
    const { exp: _, ...claims } = claimsOf(victimToken);
    return readUser(await auth.tokens.sign({ ...claims, role: "authenticated" }), 403);
  },
  "an expiry centuries away": async ({ victimToken }) =>
    readUser(await auth.tokens.sign({ ...claimsOf(victimToken), exp: inAnHour() + 9_000_000_000 }), 403),
  "an expiry that is not a number": async ({ victimToken }) =>
    readUser(await auth.tokens.sign({ ...claimsOf(victimToken), exp: "2999" }), 403),
  "an issue time in the future": async ({ victimToken }) =>
    readUser(
      await auth.tokens.sign({ ...claimsOf(victimToken), iat: inAnHour(), exp: inAnHour() + 60 }),
      403,
    ),
  "no subject": async ({ victimToken }) => {
    const { sub: _, ...claims } = claimsOf(victimToken);
    return readUser(await auth.tokens.sign({ ...claims, role: "authenticated" }), 403);
  },
  "a subject that is not a UUID": async ({ victimToken }) =>
    readUser(await auth.tokens.sign({ ...claimsOf(victimToken), sub: "' or true --" }), 403),
  "no session": async ({ victimToken }) => {
    const { session_id: _, ...claims } = claimsOf(victimToken);
    return readUser(await auth.tokens.sign({ ...claims, role: "authenticated" }), 401);
  },
  "a session that never existed": async ({ victimToken }) =>
    readUser(await auth.tokens.sign({ ...claimsOf(victimToken), session_id: crypto.randomUUID() }), 401),
  "another member's session": async ({ victimToken, attackerToken }) => {
    const { session_id } = claimsOf(attackerToken);
    return readUser(
      await auth.tokens.sign({ ...claimsOf(victimToken), session_id: String(session_id) }),
      401,
    );
  },
  "a session id that is not a UUID": async ({ victimToken }) =>
    readUser(
      await auth.tokens.sign({ ...claimsOf(victimToken), session_id: "x'; drop table auth.users; --" }),
      403,
    ),
  "the role of the auth service": async ({ victimToken }) =>
    readUser(await auth.tokens.sign({ ...claimsOf(victimToken), role: "supabase_auth_admin" }), 403),
  "the role postgres": async ({ victimToken }) =>
    readUser(await auth.tokens.sign({ ...claimsOf(victimToken), role: "postgres" }), 403),
  "another audience": async ({ victimToken }) =>
    readUser(await auth.tokens.sign({ ...claimsOf(victimToken), aud: "elsewhere" }), 403),
  "a refresh token instead of an access token": ({ victimRefresh }) => readUser(victimRefresh, 403),
  "two tokens in one header": ({ victimToken, attackerToken }) =>
    readUser(`${attackerToken}, Bearer ${victimToken}`, 403),
  "the victim's token only in the URL": ({ victimToken }) => ({
    path: `user?access_token=${victimToken}&apikey=${victimToken}`,
    method: "GET",
    status: 401,
  }),
  "the victim's token only in a cookie": ({ victimToken }) => ({
    path: "user",
    method: "GET",
    headers: { cookie: `sb-access-token=${victimToken}` },
    status: 401,
  }),
};

function claimsOf(token: string): Claims {
  return decodeJwt<Claims>(token);
}

function refresh(refresh_token: unknown): Attack {
  return { path: "token?grant_type=refresh_token", body: { refresh_token }, status: 400 };
}

function exchange(body: unknown, status: number): Attack {
  return { path: "token?grant_type=pkce", body, status };
}

const sessions: Attempts = {
  "a made-up refresh token": () => refresh("x".repeat(43)),
  "a list of refresh tokens": ({ victimRefresh }) => refresh([victimRefresh]),
  "an empty refresh token": () => refresh(""),
  "SQL as a refresh token": () => refresh("' or revoked = false --"),
  "the stored digest as a refresh token": async ({ victim }) => {
    const text = "select token from auth.refresh_tokens where user_id = $1::text and not revoked";
    return refresh((await auth.admin.query(text, [victim.id])).rows[0].token);
  },
  "an access token as a refresh token": ({ victimToken }) => refresh(victimToken),
  "a refresh token with a space": ({ victimRefresh }) => refresh(`${victimRefresh} `),
  "a refresh token in upper case": ({ victimRefresh }) => refresh(victimRefresh.toUpperCase()),
  "a made-up code": () => exchange({ auth_code: crypto.randomUUID(), code_verifier: "v".repeat(43) }, 404),
  "a code without a verifier": () => exchange({ auth_code: "x", code_verifier: "" }, 400),
  "the stored digest as a code": async ({ victim }) => {
    const challenge = { code_challenge: "v".repeat(43), code_challenge_method: "plain" };
    await auth.post("recover", { email: victim.email, ...challenge });
    const text = "select auth_code from auth.flow_state where user_id = $1";
    await expect.poll(async () => (await auth.admin.query(text, [victim.id])).rowCount).toBe(1);
    const { auth_code } = (await auth.admin.query(text, [victim.id])).rows[0];
    return exchange({ auth_code, code_verifier: "v".repeat(43) }, 404);
  },
  "a list as the code": () => exchange({ auth_code: ["x"], code_verifier: "v".repeat(43) }, 400),
  "another member's id in a sign-out": ({ victim, attackerToken }) => ({
    path: `logout?scope=others&user_id=${victim.id}`,
    body: { user_id: victim.id, sub: victim.id },
    headers: { authorization: `Bearer ${attackerToken}` },
    status: 204,
  }),
};

testAttempts(auth, situation, {
  "an access token": tokens,
  "a refresh or a sign-out": sessions,
});
