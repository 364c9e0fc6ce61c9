import { createHmac } from "node:crypto";
import { decodeJwt } from "jose";
import { afterAll, describe, expect, test } from "vitest";
import type { Claims } from "../../server/auth/access-token.ts";
import { type Account, SITE, startTestAuth, type TestAuth } from "../support/auth.ts";

// Attempts to sign in as somebody else, to become more than one is, or to break the server. None may get a 5xx,
// make or change an account, or be answered with a session.

interface Attack {
  path: string;
  method?: string;
  body?: unknown;
  /** Sent as it is, where JSON would not let it through. */
  raw?: string | Uint8Array;
  headers?: Record<string, string>;
  status: number | number[];
}

interface Situation {
  victim: Account;
  victimToken: string;
  victimRefresh: string;
  attacker: Account;
  attackerToken: string;
  attackerRefresh: string;
  keys: TestAuth["keys"];
}

type Attempts = Record<string, (s: Situation) => Attack | Promise<Attack>>;

const auth = await startTestAuth();
const [victim, attacker] = [await auth.member(), await auth.member()];
const [theirs, own] = [await sessionOf(victim), await sessionOf(attacker)];
const situation = {
  victim,
  victimToken: theirs.access_token,
  victimRefresh: theirs.refresh_token,
  attacker,
  attackerToken: own.access_token,
  attackerRefresh: own.refresh_token,
  keys: auth.keys,
};
afterAll(() => auth.stop());

async function sessionOf(account: Account) {
  const { data, error } = await auth.client().auth.signInWithPassword(account);
  if (error) throw error;
  return data.session;
}

async function accounts(): Promise<string> {
  const text = `select string_agg(concat_ws(' ', id, email, encrypted_password, role, aud, raw_app_meta_data,
    raw_user_meta_data, banned_until, email_confirmed_at), chr(10) order by id) as all from auth.users`;
  return (await auth.admin.query(text)).rows[0].all;
}

async function attempt(attack: Attack): Promise<void> {
  const before = await accounts();
  const { path, method = "POST", headers = {}, body, raw } = attack;
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const init: RequestInit = { method, headers: { "content-type": "application/json", ...headers } };
  if (content !== undefined && method !== "GET") init.body = content as BodyInit;
  const answer = await auth.request(path, init);
  const text = await answer.text();
  expect([attack.status].flat()).toContain(answer.status);
  expect(text).not.toContain("access_token");
  expect(answer.headers.get("location") ?? "").not.toContain("access_token");
  // Nothing of how the server is made.
  expect(text).not.toMatch(/select |insert |auth\.users|node_modules|\.ts:|syntax error|22P02|stack/i);
  expect(await accounts()).toBe(before);
}

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const later = () => Math.floor(Date.now() / 1000) + 3600;

function jwt(header: object, claims: object, secret: string, hash = "sha256"): string {
  const signed = `${base64(header)}.${base64(claims)}`;
  return `${signed}.${createHmac(hash, secret).update(signed).digest("base64url")}`;
}

function readUser(token: string, status: number | number[]): Attack {
  return { path: "user", method: "GET", headers: { authorization: `Bearer ${token}` }, status };
}

const tokens: Attempts = {
  "no algorithm": ({ victimToken }) =>
    readUser(`${base64({ alg: "none", typ: "JWT" })}.${base64(decodeJwt(victimToken))}.`, 403),
  "no algorithm, oddly spelled": ({ victimToken }) =>
    readUser(`${base64({ alg: "nOnE" })}.${base64(decodeJwt(victimToken))}.`, 403),
  "no algorithm, the old signature": ({ victimToken }) =>
    readUser(`${base64({ alg: "none" })}.${victimToken.split(".").slice(1).join(".")}`, 403),
  "signed with the public key": ({ victimToken, keys }) =>
    readUser(jwt({ alg: "HS256" }, decodeJwt(victimToken), keys.anonKey), 403),
  "signed with nothing": ({ victimToken }) =>
    readUser(jwt({ alg: "HS256" }, decodeJwt(victimToken), "\0"), 403),
  "signed with the secret, another algorithm": ({ victimToken, keys }) =>
    readUser(jwt({ alg: "HS512" }, decodeJwt(victimToken), keys.jwtSecret, "sha512"), 403),
  "says RS256": ({ victimToken, keys }) =>
    readUser(jwt({ alg: "RS256" }, decodeJwt(victimToken), keys.jwtSecret), 403),
  "brings its own key": ({ victimToken }) => {
    const key = { kty: "oct", k: Buffer.from("mine").toString("base64url") };
    return readUser(jwt({ alg: "HS256", jwk: key }, decodeJwt(victimToken), "mine"), 403);
  },
  "names a key elsewhere": ({ victimToken }) =>
    readUser(jwt({ alg: "HS256", jku: "https://evil.example/jwks" }, decodeJwt(victimToken), "mine"), 403),
  "names a key file": ({ victimToken }) =>
    readUser(jwt({ alg: "HS256", kid: "../../../../dev/null" }, decodeJwt(victimToken), ""), 403),
  "a critical header that nobody knows": ({ victimToken, keys }) =>
    readUser(jwt({ alg: "HS256", crit: ["x"], x: 1 }, decodeJwt(victimToken), keys.jwtSecret), 403),
  "the victim's claims under the attacker's signature": ({ victimToken, attackerToken }) => {
    const [header, , signature] = attackerToken.split(".");
    return readUser(`${header}.${victimToken.split(".")[1]}.${signature}`, 403);
  },
  "cut short": ({ victimToken }) => readUser(victimToken.slice(0, -10), 403),
  "no signature": ({ victimToken }) => readUser(victimToken.split(".").slice(0, 2).join("."), 403),
  "not a token": () => readUser("x", 403),
  long: () => readUser("x".repeat(100_000), 403),
  expired: async ({ victimToken }) =>
    readUser(await auth.tokens.sign({ ...claimsOf(victimToken), exp: later() - 7200 }), 403),
  "not valid yet": async ({ victimToken }) =>
    readUser(await auth.tokens.sign({ ...claimsOf(victimToken), nbf: later() }), 403),
  "without an end": async ({ victimToken }) => {
    const { exp: _, ...claims } = claimsOf(victimToken);
    return readUser(await auth.tokens.sign({ ...claims, role: "authenticated" }), 403);
  },
  "an end centuries away": async ({ victimToken }) =>
    readUser(await auth.tokens.sign({ ...claimsOf(victimToken), exp: later() + 9_000_000_000 }), 403),
  "an end that is no number": async ({ victimToken }) =>
    readUser(await auth.tokens.sign({ ...claimsOf(victimToken), exp: "2999" }), 403),
  "issued in the future": async ({ victimToken }) =>
    readUser(await auth.tokens.sign({ ...claimsOf(victimToken), iat: later(), exp: later() + 60 }), 403),
  "no sub": async ({ victimToken }) => {
    const { sub: _, ...claims } = claimsOf(victimToken);
    return readUser(await auth.tokens.sign({ ...claims, role: "authenticated" }), 403);
  },
  "a sub that is no uuid": async ({ victimToken }) =>
    readUser(await auth.tokens.sign({ ...claimsOf(victimToken), sub: "' or true --" }), 403),
  "no session": async ({ victimToken }) => {
    const { session_id: _, ...claims } = claimsOf(victimToken);
    return readUser(await auth.tokens.sign({ ...claims, role: "authenticated" }), 401);
  },
  "a session that never was": async ({ victimToken }) =>
    readUser(await auth.tokens.sign({ ...claimsOf(victimToken), session_id: crypto.randomUUID() }), 401),
  "somebody else's session": async ({ victimToken, attackerToken }) => {
    const { session_id } = claimsOf(attackerToken);
    return readUser(
      await auth.tokens.sign({ ...claimsOf(victimToken), session_id: String(session_id) }),
      401,
    );
  },
  "a session that is no uuid": async ({ victimToken }) =>
    readUser(
      await auth.tokens.sign({ ...claimsOf(victimToken), session_id: "x'; drop table auth.users; --" }),
      403,
    ),
  "a role that may do everything": async ({ victimToken }) =>
    readUser(await auth.tokens.sign({ ...claimsOf(victimToken), role: "supabase_auth_admin" }), 403),
  "the role postgres": async ({ victimToken }) =>
    readUser(await auth.tokens.sign({ ...claimsOf(victimToken), role: "postgres" }), 403),
  "another audience": async ({ victimToken }) =>
    readUser(await auth.tokens.sign({ ...claimsOf(victimToken), aud: "elsewhere" }), 403),
  "a refresh token in its place": ({ victimRefresh }) => readUser(victimRefresh, 403),
  "two of them": ({ victimToken, attackerToken }) => readUser(`${attackerToken}, Bearer ${victimToken}`, 403),
  "in the address": ({ victimToken }) => ({
    path: `user?access_token=${victimToken}&apikey=${victimToken}`,
    method: "GET",
    status: 401,
  }),
  "in a cookie": ({ victimToken }) => ({
    path: "user",
    method: "GET",
    headers: { cookie: `sb-access-token=${victimToken}` },
    status: 401,
  }),
};

function claimsOf(token: string): Claims {
  return decodeJwt<Claims>(token);
}

function signIn(body: unknown, status: number | number[] = 400): Attack {
  return { path: "token?grant_type=password", body, status };
}

const signIns: Attempts = {
  "SQL in the e-mail": ({ victim }) => signIn({ email: `${victim.email}' --`, password: "x" }),
  "SQL in the password": ({ victim }) => signIn({ email: victim.email, password: "' or '1'='1" }),
  "a pattern for an e-mail": () => signIn({ email: "%@example.com", password: "x" }),
  "an empty password": ({ victim }) => signIn({ email: victim.email, password: "" }),
  "no password": ({ victim }) => signIn({ email: victim.email }),
  "null for a password": ({ victim }) => signIn({ email: victim.email, password: null }),
  "true for a password": ({ victim }) => signIn({ email: victim.email, password: true }),
  "a list of passwords": ({ victim }) => signIn({ email: victim.email, password: ["a", victim.password] }),
  "an operator for a password": ({ victim }) => signIn({ email: victim.email, password: { $ne: "" } }),
  "a list of e-mails": ({ victim, attacker }) =>
    signIn({ email: [victim.email, attacker.email], password: attacker.password }),
  "an object for an e-mail": () => signIn({ email: { toString: "x" }, password: "x" }),
  "another account's password": ({ victim, attacker }) =>
    signIn({ email: victim.email, password: attacker.password }),
  "a NUL in the e-mail": ({ victim }) => signIn({ email: `${victim.email}\0`, password: victim.password }),
  "a NUL behind the password": ({ victim }) =>
    signIn({ email: victim.email, password: `${victim.password}\0more` }),
  "a letter that lower case turns into another": ({ victim }) =>
    signIn({ email: victim.email.replace("example", "exampl\u0065\u0301"), password: victim.password }),
  "half a character": ({ victim }) => signIn({ email: victim.email, password: "\ud800" }),
  "the hash for a password": async ({ victim }) => {
    const text = "select encrypted_password as hash from auth.users where id = $1";
    const { rows } = await auth.admin.query(text, [victim.id]);
    return signIn({ email: victim.email, password: rows[0].hash });
  },
  "e-mail and phone": ({ victim }) =>
    signIn({ email: victim.email, phone: "+41790000000", password: victim.password }, 422),
  "a prototype with the password": ({ victim }) => ({
    ...signIn(undefined),
    raw: `{"email":${JSON.stringify(victim.email)},"__proto__":{"password":${JSON.stringify(victim.password)}}}`,
  }),
  "a constructor's prototype": () => ({
    ...signIn(undefined),
    raw: '{"constructor":{"prototype":{"email":"x@example.com"}},"password":"x"}',
  }),
  "a list for a body": ({ victim }) => signIn([victim]),
  "null for a body": () => signIn(null),
  "no body": () => signIn(undefined),
  "broken JSON": () => ({ ...signIn(undefined), raw: '{"email":' }),
  "a form": ({ victim }) => ({
    ...signIn(undefined, 415),
    raw: `grant_type=password&username=${victim.email}&password=${victim.password}`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
  }),
  "bytes that are no UTF-8": () => ({ ...signIn(undefined), raw: new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]) }),
  "50,000 levels": () => ({ ...signIn(undefined), raw: `{"a":${"[".repeat(25_000)}${"]".repeat(25_000)}}` }),
  "a huge body": () => ({ ...signIn(undefined, 413), raw: "x".repeat(200_000) }),
  "the grant type twice": ({ victim }) => ({
    path: "token?grant_type=refresh_token&grant_type=password",
    body: { email: victim.email, password: "wrong" },
    status: 400,
  }),
  "the credentials in the address": ({ victim }) => ({
    path: `token?grant_type=password&email=${victim.email}&password=${victim.password}`,
    body: {},
    status: 400,
  }),
  "another method": ({ victim }) => ({
    path: `token?grant_type=password&email=${victim.email}&password=${victim.password}`,
    method: "GET",
    status: 404,
  }),
  "a method in a header": ({ victim }) => ({
    path: `admin/users/${victim.id}`,
    headers: { "x-http-method-override": "DELETE" },
    body: {},
    status: 403,
  }),
};

const sessions: Attempts = {
  "a made-up refresh token": () => refresh("x".repeat(43)),
  "a list of refresh tokens": ({ victimRefresh }) => refresh([victimRefresh]),
  "an empty refresh token": () => refresh(""),
  "SQL for a refresh token": () => refresh("' or revoked = false --"),
  "the stored digest for a refresh token": async ({ victim }) => {
    const text = "select token from auth.refresh_tokens where user_id = $1::text and not revoked";
    return refresh((await auth.admin.query(text, [victim.id])).rows[0].token);
  },
  "an access token for a refresh token": ({ victimToken }) => refresh(victimToken),
  "a refresh token with a space": ({ victimRefresh }) => refresh(`${victimRefresh} `),
  "a refresh token in another case": ({ victimRefresh }) => refresh(victimRefresh.toUpperCase()),
  "a made-up code": () => exchange({ auth_code: crypto.randomUUID(), code_verifier: "v".repeat(43) }, 404),
  "a code without a verifier": () => exchange({ auth_code: "x", code_verifier: "" }, 400),
  "a code that was never issued": async ({ victim }) => {
    const challenge = { code_challenge: "v".repeat(43), code_challenge_method: "plain" };
    await auth.post("recover", { email: victim.email, ...challenge });
    const text = "select auth_code from auth.flow_state where user_id = $1";
    await expect.poll(async () => (await auth.admin.query(text, [victim.id])).rowCount).toBe(1);
    const { auth_code } = (await auth.admin.query(text, [victim.id])).rows[0];
    return exchange({ auth_code, code_verifier: "v".repeat(43) }, 404);
  },
  "a list for a code": () => exchange({ auth_code: ["x"], code_verifier: "v".repeat(43) }, 400),
  "signing out another member": ({ victim, attackerToken }) => ({
    path: `logout?scope=others&user_id=${victim.id}`,
    body: { user_id: victim.id, sub: victim.id },
    headers: { authorization: `Bearer ${attackerToken}` },
    status: 204,
  }),
};

function refresh(refresh_token: unknown): Attack {
  return { path: "token?grant_type=refresh_token", body: { refresh_token }, status: 400 };
}

function exchange(body: unknown, status: number): Attack {
  return { path: "token?grant_type=pkce", body, status };
}

async function recoveryToken(email: string): Promise<string> {
  const { data, error } = await auth.service.auth.admin.generateLink({ type: "recovery", email });
  if (error) throw error;
  return data.properties.hashed_token;
}

const links: Attempts = {
  "a made-up token": () => verify({ type: "recovery", token_hash: "x".repeat(43) }, 403),
  "the stored digest for a token": async ({ victim }) => {
    await recoveryToken(victim.email);
    const text = "select token_hash from auth.one_time_tokens where user_id = $1";
    const { token_hash } = (await auth.admin.query(text, [victim.id])).rows[0];
    return verify({ type: "recovery", token_hash }, 403);
  },
  "a token of another kind": async ({ victim }) =>
    verify({ type: "invite", token_hash: await recoveryToken(victim.email) }, 403),
  "a token of a kind that is not there": async ({ victim }) =>
    verify({ type: "email_change", token_hash: await recoveryToken(victim.email) }, 400),
  "a kind that every object has": async ({ victim }) =>
    verify({ type: "constructor", token_hash: await recoveryToken(victim.email) }, 400),
  "a token with another e-mail": async ({ victim, attacker }) =>
    verify({ type: "recovery", token: await recoveryToken(attacker.email), email: victim.email }, 403),
  "six digits": ({ victim }) => verify({ type: "recovery", token: "123456", email: victim.email }, 403),
  "a list of tokens": async ({ victim }) =>
    verify({ type: "recovery", token_hash: [await recoveryToken(victim.email)] }, 400),
  "token and digest at once": async ({ victim }) => {
    const token = await recoveryToken(victim.email);
    return verify({ type: "recovery", token, token_hash: token, email: victim.email }, 400);
  },
  "a pattern for a token": () => verify({ type: "recovery", token_hash: "%" }, 403),
  "a token with the mark of PKCE": async ({ victim }) => ({
    path: `verify?type=recovery&token=pkce_${await recoveryToken(victim.email)}`,
    method: "GET",
    status: 303,
  }),
  "a recovery for a list of people": ({ victim }) => ({
    path: "recover",
    body: { email: [victim.email, "eve@evil.example"] },
    status: 400,
  }),
  "a recovery with a second recipient": ({ victim }) => ({
    path: "recover",
    body: { email: `${victim.email},eve@evil.example` },
    status: 400,
  }),
  "a recovery with a header in the e-mail": ({ victim }) => ({
    path: "recover",
    body: { email: `${victim.email}\r\nBcc: eve@evil.example` },
    status: 400,
  }),
};

function verify(body: unknown, status: number): Attack {
  return { path: "verify", body, status };
}

function put(token: string, body: unknown, status: number): Attack {
  return { path: "user", method: "PUT", headers: { authorization: `Bearer ${token}` }, body, status };
}

const changes: Attempts = {
  "another account's id": ({ attackerToken, victim }) =>
    put(attackerToken, { id: victim.id, user_id: victim.id, email: victim.email }, 422),
  "admin rights": ({ attackerToken }) => put(attackerToken, { app_metadata: { role: "admin" } }, 403),
  "a role, an audience, a hash": ({ attackerToken }) =>
    put(
      attackerToken,
      {
        role: "service_role",
        aud: "admin",
        encrypted_password: "x",
        password_hash: "x",
        is_super_admin: true,
      },
      200,
    ),
  "a list for data": ({ attackerToken }) => put(attackerToken, { data: [1] }, 400),
  "a password that is none": ({ attackerToken }) => put(attackerToken, { password: 123456789 }, 400),
  "the public key's password": ({ keys }) => put(keys.anonKey, { password: "let me in now" }, 403),
  "an account made by the attacker": ({ attackerToken }) => ({
    path: "admin/users",
    headers: { authorization: `Bearer ${attackerToken}`, apikey: auth.keys.anonKey },
    body: { email: "eve@evil.example", password: "let me in", email_confirm: true },
    status: 403,
  }),
  "the service key's role, self-signed": ({ keys }) => ({
    path: "admin/users",
    method: "GET",
    headers: {
      authorization: `Bearer ${jwt({ alg: "HS256" }, { role: "service_role", exp: later() }, keys.anonKey)}`,
    },
    status: 403,
  }),
  "a way around the guard": ({ attackerToken }) => ({
    path: "x/../admin/users",
    method: "GET",
    headers: { authorization: `Bearer ${attackerToken}` },
    status: 403,
  }),
  "an encoded way around the guard": ({ attackerToken }) => ({
    path: "%61dmin/users",
    method: "GET",
    headers: { authorization: `Bearer ${attackerToken}` },
    status: [403, 404],
  }),
  "a doubled slash around the guard": ({ attackerToken }) => ({
    path: "/admin//users",
    method: "GET",
    headers: { authorization: `Bearer ${attackerToken}` },
    status: [403, 404],
  }),
  "capitals around the guard": ({ attackerToken }) => ({
    path: "ADMIN/users",
    method: "GET",
    headers: { authorization: `Bearer ${attackerToken}` },
    status: 404,
  }),
};

const all = Object.entries({
  "an access token": tokens,
  "a sign-in": signIns,
  "a session": sessions,
  "a link": links,
  "a change": changes,
});

describe.each(all)("%s", (_, attempts) => {
  test.each(Object.entries(attempts))("%s", async (_name, prepare) => {
    await attempt(await prepare(situation));
  });
});

describe("after all that", () => {
  test("the victim is still signed in, and signs in", async () => {
    const headers = { authorization: `Bearer ${situation.victimToken}` };
    const answer = await auth.request("user", { headers });
    expect(await answer.json()).toMatchObject({ id: situation.victim.id, email: situation.victim.email });
    await sessionOf(situation.victim);
  });

  test("no mail went anywhere but to its owner, nor does one lead elsewhere", () => {
    for (const mail of auth.mails) {
      expect(mail.to).toBe(situation.victim.email);
      expect(mail.text).not.toContain("evil");
      expect(mail.text).toContain(SITE);
    }
  });

  test("no object of the server has what was sent for its prototype", async () => {
    const polluted = '{"data":{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}}';
    const answer = await auth.request("user", {
      method: "PUT",
      headers: { authorization: `Bearer ${situation.attackerToken}` },
      body: polluted,
    });
    expect(answer.status).toBe(200);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect((await auth.request("user")).status).toBe(401);
  });

  test("the log is free of secrets", () => {
    const log = auth.lines.join("");
    const { victim, victimToken, victimRefresh, keys } = situation;
    for (const secret of [victim.email, victim.password, victimToken, victimRefresh, keys.jwtSecret]) {
      expect(log).not.toContain(secret);
    }
    expect(log).not.toContain("auth.failed");
  });
});
