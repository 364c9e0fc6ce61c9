import {
  type Attack,
  type Attempts,
  forgeToken,
  inAnHour,
  startAttacks,
  testAttempts,
} from "../support/attacks.ts";

const { auth, situation } = await startAttacks();

function signIn(body: unknown, status: number | number[] = 400): Attack {
  return { path: "token?grant_type=password", body, status };
}

const signIns: Attempts = {
  "SQL in the email address": ({ victim }) => signIn({ email: `${victim.email}' --`, password: "x" }),
  "SQL in the password": ({ victim }) => signIn({ email: victim.email, password: "' or '1'='1" }),
  "a LIKE pattern as the email address": () => signIn({ email: "%@example.com", password: "x" }),
  "an empty password": ({ victim }) => signIn({ email: victim.email, password: "" }),
  "no password": ({ victim }) => signIn({ email: victim.email }),
  "null as the password": ({ victim }) => signIn({ email: victim.email, password: null }),
  "true as the password": ({ victim }) => signIn({ email: victim.email, password: true }),
  "a list of passwords": ({ victim }) => signIn({ email: victim.email, password: ["a", victim.password] }),
  "a query operator as the password": ({ victim }) => signIn({ email: victim.email, password: { $ne: "" } }),
  "a list of email addresses": ({ victim, attacker }) =>
    signIn({ email: [victim.email, attacker.email], password: attacker.password }),
  "an object as the email address": () => signIn({ email: { toString: "x" }, password: "x" }),
  "another account's password": ({ victim, attacker }) =>
    signIn({ email: victim.email, password: attacker.password }),
  "a NUL in the email address": ({ victim }) =>
    signIn({ email: `${victim.email}\0`, password: victim.password }),
  "a NUL after the password": ({ victim }) =>
    signIn({ email: victim.email, password: `${victim.password}\0more` }),
  "an accented letter in the email address": ({ victim }) =>
    signIn({ email: victim.email.replace("example", "exampl\u0065\u0301"), password: victim.password }),
  "an unpaired surrogate as the password": ({ victim }) =>
    signIn({ email: victim.email, password: "\ud800" }),
  "the stored hash as the password": async ({ victim }) => {
    const text = "select encrypted_password as hash from auth.users where id = $1";
    const { rows } = await auth.admin.query(text, [victim.id]);
    return signIn({ email: victim.email, password: rows[0].hash });
  },
  "an email address and a phone number": ({ victim }) =>
    signIn({ email: victim.email, phone: "+41790000000", password: victim.password }, 422),
  "a prototype that contains the password": ({ victim }) => ({
    ...signIn(undefined),
    raw: `{"email":${JSON.stringify(victim.email)},"__proto__":{"password":${JSON.stringify(victim.password)}}}`,
  }),
  "a constructor whose prototype contains the email address": () => ({
    ...signIn(undefined),
    raw: '{"constructor":{"prototype":{"email":"x@example.com"}},"password":"x"}',
  }),
  "a list as the body": ({ victim }) => signIn([victim]),
  "null as the body": () => signIn(null),
  "no body": () => signIn(undefined),
  "broken JSON": () => ({ ...signIn(undefined), raw: '{"email":' }),
  "a form instead of JSON": ({ victim }) => ({
    ...signIn(undefined, 415),
    raw: `grant_type=password&username=${victim.email}&password=${victim.password}`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
  }),
  "a body that is not UTF-8": () => ({ ...signIn(undefined), raw: new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]) }),
  "JSON that is nested 25,000 levels deep": () => ({
    ...signIn(undefined),
    raw: `{"a":${"[".repeat(25_000)}${"]".repeat(25_000)}}`,
  }),
  "a body of 200,000 bytes": () => ({ ...signIn(undefined, 413), raw: "x".repeat(200_000) }),
  "the grant type twice": ({ victim }) => ({
    path: "token?grant_type=refresh_token&grant_type=password",
    body: { email: victim.email, password: "wrong" },
    status: 400,
  }),
  "credentials in the URL": ({ victim }) => ({
    path: `token?grant_type=password&email=${victim.email}&password=${victim.password}`,
    body: {},
    status: 400,
  }),
  "GET with credentials in the URL": ({ victim }) => ({
    path: `token?grant_type=password&email=${victim.email}&password=${victim.password}`,
    method: "GET",
    status: 404,
  }),
  "a header that overrides the method": ({ victim }) => ({
    path: `admin/users/${victim.id}`,
    headers: { "x-http-method-override": "DELETE" },
    body: {},
    status: 403,
  }),
};

async function recoveryToken(email: string): Promise<string> {
  const { data, error } = await auth.service.auth.admin.generateLink({ type: "recovery", email });
  if (error) throw error;
  return data.properties.hashed_token;
}

const links: Attempts = {
  "a made-up token": () => verify({ type: "recovery", token_hash: "x".repeat(43) }, 403),
  "the stored digest as the token": async ({ victim }) => {
    await recoveryToken(victim.email);
    const text = "select token_hash from auth.one_time_tokens where user_id = $1";
    const { token_hash } = (await auth.admin.query(text, [victim.id])).rows[0];
    return verify({ type: "recovery", token_hash }, 403);
  },
  "a recovery token as an invitation": async ({ victim }) =>
    verify({ type: "invite", token_hash: await recoveryToken(victim.email) }, 403),
  "a token with an unsupported type": async ({ victim }) =>
    verify({ type: "email_change", token_hash: await recoveryToken(victim.email) }, 400),
  "the type constructor, which is a property of every object": async ({ victim }) =>
    verify({ type: "constructor", token_hash: await recoveryToken(victim.email) }, 400),
  "the attacker's token with the victim's email address": async ({ victim, attacker }) =>
    verify({ type: "recovery", token: await recoveryToken(attacker.email), email: victim.email }, 403),
  "a guessed six-digit code": ({ victim }) =>
    verify({ type: "recovery", token: "123456", email: victim.email }, 403),
  "a list of tokens": async ({ victim }) =>
    verify({ type: "recovery", token_hash: [await recoveryToken(victim.email)] }, 400),
  "a LIKE pattern as the token": () => verify({ type: "recovery", token_hash: "%" }, 403),
  "a recovery token as a PKCE code": async ({ victim }) => ({
    path: "token?grant_type=pkce",
    body: { auth_code: await recoveryToken(victim.email), code_verifier: "v".repeat(43) },
    status: 404,
  }),
  "a GET request with the token": async ({ victim }) => ({
    path: `verify?type=recovery&token=${await recoveryToken(victim.email)}`,
    method: "GET",
    status: 404,
  }),
  "a recovery for a list of email addresses": ({ victim }) => ({
    path: "recover",
    body: { email: [victim.email, "eve@evil.example"] },
    status: 400,
  }),
  "a recovery with a second recipient": ({ victim }) => ({
    path: "recover",
    body: { email: `${victim.email},eve@evil.example` },
    status: 400,
  }),
  "a recovery with a mail header in the email address": ({ victim }) => ({
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
  "a role, an audience and a password hash": ({ attackerToken }) =>
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
  "a list as user metadata": ({ attackerToken }) => put(attackerToken, { data: [1] }, 400),
  "a number as the password": ({ attackerToken }) => put(attackerToken, { password: 123456789 }, 400),
  "a new password with the public key as the token": ({ keys }) =>
    put(keys.anonKey, { password: "let me in now" }, 403),
  "creating an account as a member": ({ attackerToken }) => ({
    path: "admin/users",
    headers: { authorization: `Bearer ${attackerToken}`, apikey: auth.keys.anonKey },
    body: { email: "eve@evil.example", password: "let me in", email_confirm: true },
    status: 403,
  }),
  "a service key with a forged signature": ({ keys }) => ({
    path: "admin/users",
    method: "GET",
    headers: {
      authorization: `Bearer ${forgeToken({ alg: "HS256" }, { role: "service_role", exp: inAnHour() }, keys.anonKey)}`,
    },
    status: 403,
  }),
  "an admin endpoint through a path with ..": ({ attackerToken }) => ({
    path: "x/../admin/users",
    method: "GET",
    headers: { authorization: `Bearer ${attackerToken}` },
    status: 403,
  }),
  "an admin endpoint with an encoded path": ({ attackerToken }) => ({
    path: "%61dmin/users",
    method: "GET",
    headers: { authorization: `Bearer ${attackerToken}` },
    status: [403, 404],
  }),
  "an admin endpoint with a doubled slash": ({ attackerToken }) => ({
    path: "/admin//users",
    method: "GET",
    headers: { authorization: `Bearer ${attackerToken}` },
    status: [403, 404],
  }),
  "an admin endpoint in capitals": ({ attackerToken }) => ({
    path: "ADMIN/users",
    method: "GET",
    headers: { authorization: `Bearer ${attackerToken}` },
    status: 404,
  }),
};

testAttempts(auth, situation, {
  "a sign-in": signIns,
  "a mailed link": links,
  "an account change": changes,
});
