import { randomUUID } from "node:crypto";
import { generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeEach, expect, test } from "vitest";
import { SITE, startTestAuth } from "../support/auth.ts";
import { startHostileProvider } from "../support/hostile-provider.ts";
import { redirectOf, settingsOf, startFlow } from "../support/single-sign-on.ts";

const provider = await startHostileProvider();
const auth = await startTestAuth({ singleSignOn: settingsOf(provider) });
afterAll(async () => {
  await auth.stop();
  await provider.stop();
});
beforeEach(() => auth.admin.query("delete from auth.users"));

const EVENTS = { "http://schemas.openid.net/event/backchannel-logout": {} };

/** Signs in at the provider, which names its session `sid`. Returns the access token. */
async function signIn(sub: string, sid?: string): Promise<string> {
  const client = auth.client();
  provider.issue("", {});
  const request = new URL(await redirectOf(auth, await startFlow(client)));
  const nonce = request.searchParams.get("nonce") ?? "";
  const claims = { sub, nonce, sid, email: `${sub}@example.com`, email_verified: true };
  provider.issue(await provider.sign(provider.claims(claims)), { sub });
  const state = request.searchParams.get("state") ?? "";
  const callback = new URLSearchParams({ code: "code", state });
  const page = new URL(await redirectOf(auth, `${SITE}/auth/v1/callback?${callback}`));
  const { data } = await client.auth.exchangeCodeForSession(page.searchParams.get("code") ?? "");
  return data.session?.access_token ?? "";
}

async function isLive(accessToken: string): Promise<boolean> {
  return (await auth.request("user", { headers: { authorization: `Bearer ${accessToken}` } })).ok;
}

const logoutClaims = (changes: Record<string, unknown> = {}) =>
  provider.claims({ sub: "ada", jti: randomUUID(), events: EVENTS, ...changes });

function send(token: string, headers: Record<string, string> = {}) {
  return auth.request("backchannel-logout", {
    method: "POST",
    headers: { apikey: "", "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams({ logout_token: token }).toString(),
  });
}

test("a logout token ends all sessions that the person began at the provider, but no others", async () => {
  const sessions = [await signIn("ada"), await signIn("ada")];
  const other = await signIn("eve");
  const { rows } = await auth.admin.query("select id from auth.users where email = 'ada@example.com'");
  const password = "correct horse battery";
  await auth.service.auth.admin.updateUserById(rows[0]?.id, { password });
  const byPassword = await auth.client().auth.signInWithPassword({ email: "ada@example.com", password });

  const response = await send(await provider.sign(logoutClaims()));
  expect(response.status).toBe(200);
  expect(response.headers.get("cache-control")).toBe("no-store");
  for (const session of sessions) expect(await isLive(session)).toBe(false);
  expect(await isLive(other)).toBe(true);
  expect(await isLive(byPassword.data.session?.access_token ?? "")).toBe(true);
  // A repeated token has nothing left to end.
  expect((await send(await provider.sign(logoutClaims()))).status).toBe(200);
});

test("a logout token with a sid ends only the sessions that began with that session at the provider", async () => {
  const laptop = await signIn("ada", "laptop");
  const phone = await signIn("ada", "phone");
  expect((await send(await provider.sign(logoutClaims({ sid: "laptop" })))).status).toBe(200);
  expect(await isLive(laptop)).toBe(false);
  expect(await isLive(phone)).toBe(true);
});

test("the log names each ended session, and contains no address", async () => {
  await signIn("ada");
  const before = auth.lines.length;
  await send(await provider.sign(logoutClaims()));
  const logged = auth.lines.slice(before).join("\n");
  expect(logged).toContain('"reason":"provider_logout"');
  expect(logged).not.toContain("@");
});

const minutesAgo = (minutes: number) => Math.floor(Date.now() / 1_000) - minutes * 60;

test.each<[string, () => Promise<string>]>([
  ["that is no token", async () => "x"],
  ["that is empty", async () => ""],
  ["of another issuer", async () => provider.sign(logoutClaims({ iss: "https://evil.test" }))],
  ["for another client", async () => provider.sign(logoutClaims({ aud: "other" }))],
  ["without the event", async () => provider.sign(logoutClaims({ events: {} }))],
  ["with a nonce, such as an ID token", async () => provider.sign(logoutClaims({ nonce: "x" }))],
  ["without a person", async () => provider.sign(logoutClaims({ sub: undefined, sid: "laptop" }))],
  ["without an id", async () => provider.sign(logoutClaims({ jti: undefined }))],
  ["of an hour ago", async () => provider.sign(logoutClaims({ iat: minutesAgo(60), exp: minutesAgo(-60) }))],
  ["that has expired", async () => provider.sign(logoutClaims({ exp: minutesAgo(5) }))],
  [
    "signed by someone else",
    async () => {
      const { privateKey } = await generateKeyPair("RS256");
      return new SignJWT(logoutClaims()).setProtectedHeader({ alg: "RS256", kid: "key" }).sign(privateKey);
    },
  ],
  [
    "signed with the client's secret",
    async () =>
      new SignJWT(logoutClaims())
        .setProtectedHeader({ alg: "HS256" })
        .sign(new TextEncoder().encode(settingsOf(provider).clientSecret)),
  ],
])("a logout token %s is rejected and ends nothing", async (_, token) => {
  const session = await signIn("ada", "laptop");
  const response = await send(await token());
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: "invalid_request" });
  expect(await isLive(session)).toBe(true);
});

test("without single sign-on, the address doesn't exist", async () => {
  const site = await startTestAuth({}, auth);
  expect((await site.request("backchannel-logout", { method: "POST", headers: { apikey: "" } })).status).toBe(
    404,
  );
});
