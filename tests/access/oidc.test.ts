import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, describe, expect, test } from "vitest";
import { SITE, startTestAuth } from "../support/auth.ts";
import { CLIENT, startIdentityProvider, visitProvider } from "../support/identity-provider.ts";
import {
  CALLBACK,
  createVisits,
  errorOf,
  newPerson,
  redirectOf,
  settingsOf,
  startFlow,
} from "../support/single-sign-on.ts";

const provider = await startIdentityProvider({ redirectUri: CALLBACK });
const singleSignOn = settingsOf(provider);
const auth = await startTestAuth({ singleSignOn, redirectUrls: ["https://app.example/welcome"] });
const { callbackOf, arrive, signIn } = createVisits(auth, provider);
afterAll(async () => {
  await auth.stop();
  await provider.stop();
});

async function countMembers(email: unknown): Promise<number> {
  const { rows } = await auth.admin.query("select from auth.users where email = $1", [email]);
  return rows.length;
}

describe("an unmodified auth-js", () => {
  test("creates a confirmed member with the provider's name, and expires cached pages", async () => {
    const person = newPerson();
    auth.onWrite.mockClear();
    const { client, user } = await signIn(person);
    expect(user).toMatchObject({
      email: person.email,
      email_confirmed_at: expect.any(String),
      app_metadata: { provider: "oidc", providers: ["oidc"] },
      user_metadata: { full_name: person.name },
    });
    const { data } = await client.from("profiles").select("full_name").eq("id", user.id).single();
    expect(data?.full_name).toBe(person.name);
    expect((await client.auth.getUser()).data.user?.identities).toMatchObject([{ provider: "oidc" }]);
    expect(auth.onWrite).toHaveBeenCalled();
  });

  test("sends the person to the provider with PKCE, a nonce, and the documented scope and callback", async () => {
    const request = new URL(await redirectOf(auth, await startFlow(auth.client())));
    expect(Object.fromEntries(request.searchParams)).toEqual({
      client_id: CLIENT.clientId,
      response_type: "code",
      redirect_uri: CALLBACK,
      scope: "openid email profile offline_access",
      state: expect.any(String),
      nonce: expect.any(String),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
  });

  test("links an existing member with the same address, and keeps their profile and password", async () => {
    const account = await auth.member();
    await auth.admin.query("update public.profiles set full_name = 'Own Name' where id = $1", [account.id]);
    const person = newPerson({ email: account.email.toUpperCase() });
    for (const attempt of ["first", "second"]) {
      const { user } = await signIn(person);
      expect(user.id, attempt).toBe(account.id);
      expect(user.app_metadata).toMatchObject({ provider: "email", providers: ["email", "oidc"] });
    }
    const { data } = await auth.service.from("profiles").select("full_name").eq("id", account.id).single();
    expect(data?.full_name).toBe("Own Name");
    expect((await auth.client().auth.signInWithPassword(account)).error).toBeNull();
  });

  test("the claim amr is oauth after a sign-in at the provider and password after a sign-in with a password", async () => {
    const account = await auth.member();
    const methods = async (client: SupabaseClient) =>
      (await client.auth.getClaims()).data?.claims.amr?.map((entry) =>
        typeof entry === "string" ? entry : entry.method,
      );
    const { client: linked } = await signIn(newPerson({ email: account.email }));
    const other = auth.client();
    await other.auth.signInWithPassword(account);
    for (const [client, method] of [
      [linked, "oauth"],
      [other, "password"],
    ] as const) {
      expect(await methods(client)).toEqual([method]);
      expect((await client.auth.refreshSession()).error).toBeNull();
      expect(await methods(client)).toEqual([method]);
    }
  });

  test("creates one account if a person signs in twice at the same time", async () => {
    const person = newPerson();
    const clients = [auth.client(), auth.client()];
    provider.setPerson(person);
    const callbacks = await Promise.all(
      clients.map(async (client) => visitProvider(await redirectOf(auth, await startFlow(client)), CALLBACK)),
    );
    const pages = await Promise.all(callbacks.map((callback) => redirectOf(auth, callback)));
    for (const page of pages) expect(new URL(page).searchParams.get("code")).toBeTruthy();
    expect(await countMembers(person.email)).toBe(1);
  });

  test("keeps the member's account if the provider changes their address", async () => {
    const person = newPerson();
    const { user } = await signIn(person);
    const renamed = await signIn({ ...person, email: `new-${person.email}` });
    expect(renamed.user.id).toBe(user.id);
  });

  test("works again after the provider has replaced its signing key", async () => {
    await signIn(newPerson());
    await provider.rotateKeys();
    await signIn(newPerson());
  });

  test.each([
    ["x".repeat(5_000), "x".repeat(1_000)],
    ["Zero\0 \ud800half", "Zero \ufffdhalf"],
    [["a", "list"], null],
    [undefined, null],
    ["  ", null],
  ])("stores what it can of the name %j", async (name, stored) => {
    const { user } = await signIn(newPerson({ name }));
    const { data } = await auth.service.from("profiles").select("full_name").eq("id", user.id).single();
    expect(data?.full_name).toBe(stored);
  });
});

describe("a provider that lists offline_access but rejects it", () => {
  const offline = /scope=[^&]*offline_access/;

  /** Signs in, and follows the redirect to the provider for a second attempt. */
  async function signInTwice(intercept: Parameters<typeof provider.intercept>[0]) {
    const person = newPerson();
    const client = auth.client();
    provider.intercept(intercept);
    const again = await arrive(person, client);
    provider.intercept(undefined);
    expect(again.origin).toBe(provider.issuer);
    expect(again.searchParams.get("scope")).toBe("openid email profile");
    const page = new URL(await redirectOf(auth, await visitProvider(again.href, CALLBACK)));
    const { data } = await client.auth.exchangeCodeForSession(page.searchParams.get("code") ?? "");
    expect(data.user?.email).toBe(person.email);
  }

  test("at its page signs the person in without it", async () => {
    await signInTwice((request, response) => {
      if (!offline.test(request.url ?? "")) return false;
      const state = new URL(request.url ?? "", SITE).searchParams.get("state") ?? "";
      const location = `${CALLBACK}?${new URLSearchParams({ error: "invalid_scope", state, iss: provider.issuer })}`;
      response.writeHead(302, { location }).end();
      return true;
    });
  });

  test("in its response with tokens signs the person in without it", async () => {
    const before = auth.lines.length;
    await signInTwice((request, response) => {
      if (request.url !== "/token") return false;
      const error_description = "Offline tokens not allowed for the user or client";
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: "not_allowed", error_description }));
      return true;
    });
    const line = auth.lines.slice(before).find((each) => each.includes("sso.offline_access_rejected"));
    expect(JSON.parse(line ?? "{}")).toMatchObject({
      step: "token",
      reason: "not_allowed",
      detail: "Offline tokens not allowed for the user or client",
    });
  });

  test("twice shows the person an error", async () => {
    const person = newPerson();
    const reject: Parameters<typeof provider.intercept>[0] = (request, response) => {
      if (request.url !== "/token") return false;
      response.writeHead(400, { "content-type": "application/json" }).end('{"error":"invalid_scope"}');
      return true;
    };
    provider.intercept(reject);
    const again = await arrive(person);
    const page = new URL(await redirectOf(auth, await visitProvider(again.href, CALLBACK)));
    provider.intercept(undefined);
    expect(errorOf(page)).toMatchObject({ error_code: "unexpected_failure" });
  });
});

describe("people who may not sign in", () => {
  test.each([
    ["provider_email_needs_verification", { email_verified: false }],
    ["provider_email_needs_verification", { email_verified: undefined }],
    ["provider_email_needs_verification", { email_verified: "false" }],
    ["provider_email_needs_verification", { email: undefined }],
    ["provider_email_needs_verification", { email: "two@example.com, three@example.com" }],
    ["provider_email_needs_verification", { email: "kelvin@example.com\u212a" }],
    ["signup_disabled", { email: "someone@example.org" }],
    ["signup_disabled", { email: "someone@sub.example.com" }],
    ["signup_disabled", { email: "someone@notexample.com" }],
    ["signup_disabled", { email: "someone@example.com.evil.test" }],
    ["provider_email_needs_verification", { email: '"someone@example.com"@evil.test' }],
  ])("get the error %s and no account with the claims %j", async (code, claims) => {
    const person = newPerson(claims);
    const page = await arrive(person);
    expect(page.href).toMatch(`${SITE}/profile?`);
    expect(errorOf(page)).toMatchObject({ error: "access_denied", error_code: code });
    expect(page.searchParams.get("code")).toBeNull();
    const { rows } = await auth.admin.query("select from auth.identities where provider_id = $1", [
      person.sub,
    ]);
    expect(rows).toEqual([]);
    expect(await countMembers(person.email)).toBe(0);
  });

  test("include suspended members, until the suspension ends", async () => {
    const person = newPerson();
    const { user } = await signIn(person);
    await auth.service.auth.admin.updateUserById(user.id, { ban_duration: "24h" });
    expect(errorOf(await arrive(person))).toMatchObject({
      error: "access_denied",
      error_code: "user_banned",
    });
    await auth.service.auth.admin.updateUserById(user.id, { ban_duration: "none" });
    await signIn(person);
  });

  test("include members who are suspended after the code was issued", async () => {
    const person = newPerson();
    const { user } = await signIn(person);
    const client = auth.client();
    const page = await arrive(person, client);
    await auth.service.auth.admin.updateUserById(user.id, { ban_duration: "24h" });
    const { error } = await client.auth.exchangeCodeForSession(page.searchParams.get("code") ?? "");
    expect(error?.code).toBe("user_banned");
  });

  test("include a person who got the address of one who left", async () => {
    const person = newPerson();
    await signIn(person);
    const successor = { ...person, sub: `${person.sub}-2` };
    expect(errorOf(await arrive(successor))).toMatchObject({ error_code: "identity_already_exists" });
    await signIn(person);
  });

  test("no longer include that person once an operator has unlinked the member", async () => {
    const person = newPerson();
    const { user, session } = await signIn(person);
    const unlink = (key: string) =>
      auth.request(`admin/users/${user.id}/identities`, { method: "DELETE", headers: { apikey: key } });
    expect((await unlink(auth.keys.anonKey)).status).toBe(403);
    const listed = await auth.service.rpc("list_members", { wanted_email: person.email });
    expect(listed.data).toMatchObject([{ id: user.id, providers: ["oidc"] }]);
    expect((await unlink(auth.keys.serviceKey)).status).toBe(200);
    const headers = { authorization: `Bearer ${session.access_token}` };
    expect((await auth.request("user", { headers })).status).toBe(401);
    const moved = await signIn({ ...person, sub: `${person.sub}-2` });
    expect(moved.user.id).toBe(user.id);
  });

  test("don't include people with an address that was linked through an earlier provider", async () => {
    const person = newPerson();
    const { user } = await signIn(person);
    await auth.admin.query(
      `update auth.identities set identity_data = identity_data || '{"iss": "https://old.example"}'
       where user_id = $1`,
      [user.id],
    );
    const moved = await signIn({ ...person, sub: `${person.sub}-moved` });
    expect(moved.user.id).toBe(user.id);
    expect(moved.user.identities).toHaveLength(1);
  });

  test("include those who cancel at the provider, and the provider's texts don't reach the page", async () => {
    const page = await arrive(undefined);
    expect(errorOf(page)).toMatchObject({ error: "access_denied" });
    expect(page.href).not.toMatch(/person/i);
  });
});

test("a password that was set for an unconfirmed address no longer works once its owner has signed in", async () => {
  const person = newPerson();
  const password = "set before the owner came";
  const { data } = await auth.service.auth.admin.createUser({ email: person.email ?? "", password });
  const { user } = await signIn(person);
  expect(user.id).toBe(data.user?.id);
  const attacker = await auth.client().auth.signInWithPassword({ email: person.email ?? "", password });
  expect(attacker.error?.code).toBe("invalid_credentials");
});

describe("the page after a sign-in", () => {
  test.each([
    [undefined, `${SITE}/profile`],
    [`${SITE}/admin`, `${SITE}/admin`],
    ["https://app.example/welcome", "https://app.example/welcome"],
    ["https://app.example/other", `${SITE}/profile`],
    ["https://evil.test/", `${SITE}/profile`],
    [`https://evil.test/?${SITE}/profile`, `${SITE}/profile`],
    [`${SITE}.evil.test/`, `${SITE}/profile`],
    ["http://techfolio.test@evil.test/", `${SITE}/profile`],
    ["//evil.test", `${SITE}/profile`],
    ["javascript:alert(1)", `${SITE}/profile`],
    [`${SITE}/${"x".repeat(2_000)}`, `${SITE}/profile`],
  ])("is, for the requested address %s, %s", async (requested, expected) => {
    const page = await arrive(newPerson(), auth.client(), requested);
    expect(page.href).toBe(`${expected}?code=${page.searchParams.get("code")}`);
    expect(page.searchParams.get("code")).toBeTruthy();
    const failed = await arrive(undefined, auth.client(), requested);
    expect(failed.origin + failed.pathname).toBe(expected);
  });
});

describe("the state and the codes of a sign-in", () => {
  test.each([
    ["without a state", (url: URL) => url.searchParams.delete("state")],
    [
      "with a changed state",
      (url: URL) => url.searchParams.set("state", `${url.searchParams.get("state")}x`),
    ],
    ["with a made-up state", (url: URL) => url.searchParams.set("state", "a".repeat(43))],
  ])("a callback %s is rejected before the provider is asked", async (_, change) => {
    const address = await callbackOf(newPerson(), auth.client());
    change(address);
    const before = provider.requests.length;
    const page = new URL(await redirectOf(auth, address.href));
    expect(errorOf(page)).toMatchObject({ error: "invalid_request", error_code: "bad_oauth_state" });
    expect(provider.requests.length).toBe(before);
  });

  test.each([
    ["two states", (url: URL) => url.searchParams.append("state", "another")],
    ["two codes", (url: URL) => url.searchParams.append("code", "another")],
    ["the issuer of another provider", (url: URL) => url.searchParams.set("iss", "https://evil.test")],
    ["no issuer", (url: URL) => url.searchParams.delete("iss")],
    ["no code", (url: URL) => url.searchParams.delete("code")],
  ])("a callback with %s gets no session", async (_, change) => {
    const address = await callbackOf(newPerson(), auth.client());
    change(address);
    const page = new URL(await redirectOf(auth, address.href));
    expect(errorOf(page)["error_code"]).toBe("unexpected_failure");
  });

  test("a code of one person's provider session can't be injected into another flow", async () => {
    const victim = await callbackOf(newPerson(), auth.client());
    const attacker = await callbackOf(newPerson(), auth.client());
    attacker.searchParams.set("code", victim.searchParams.get("code") ?? "");
    expect(errorOf(new URL(await redirectOf(auth, attacker.href)))["error_code"]).toBe("unexpected_failure");
  });

  test("a repeated callback gets no second code", async () => {
    const address = (await callbackOf(newPerson(), auth.client())).href;
    expect(new URL(await redirectOf(auth, address)).searchParams.get("code")).toBeTruthy();
    expect(errorOf(new URL(await redirectOf(auth, address)))).toMatchObject({ error: "server_error" });
  });

  test("a code works once, and only for the client that started the sign-in", async () => {
    const client = auth.client();
    const page = await arrive(newPerson(), client);
    const code = page.searchParams.get("code") ?? "";
    const stranger = auth.client();
    await startFlow(stranger);
    expect((await stranger.auth.exchangeCodeForSession(code)).error?.code).toBe("bad_code_verifier");
    expect((await client.auth.exchangeCodeForSession(code)).error).toBeNull();
    await startFlow(client);
    expect((await client.auth.exchangeCodeForSession(code)).error?.code).toBe("flow_state_not_found");
  });

  test("a code expires after five minutes", async () => {
    const client = auth.client();
    const page = await arrive(newPerson(), client);
    await auth.advance(5 * 60_000 + 1_000);
    const { error } = await client.auth.exchangeCodeForSession(page.searchParams.get("code") ?? "");
    expect(error?.code).toBe("flow_state_expired");
  });

  test.each([
    ["no challenge", "provider=oidc"],
    ["a short challenge", "provider=oidc&code_challenge=abc&code_challenge_method=s256"],
    [
      "a challenge that reveals the verifier",
      `provider=oidc&code_challenge=${"a".repeat(43)}&code_challenge_method=plain`,
    ],
    ["another provider", `provider=google&code_challenge=${"a".repeat(43)}&code_challenge_method=s256`],
  ])("a request with %s is rejected", async (_, query) => {
    const response = await auth.request(`authorize?${query}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error_code: "validation_failed" });
  });
});

test("single sign-on leaves neither addresses nor tokens in the log, and only encrypted tokens in the database", async () => {
  const before = auth.lines.length;
  const person = newPerson();
  const client = auth.client();
  const page = await arrive(person, client);
  const code = page.searchParams.get("code") ?? "";
  await client.auth.exchangeCodeForSession(code);
  await arrive(newPerson({ email: "else@evil.test" }));
  const logged = auth.lines.slice(before).join("\n");
  expect(logged).toContain("sso.signed_in");
  expect(logged).toContain("signup_disabled");
  expect(logged).not.toMatch(/@|code=|eyJ/);
  const { rows } = await auth.admin.query("select credential from auth.provider_sessions");
  for (const { credential } of rows) expect(credential).toMatch(/^eyJ[\w-]*\.\.[\w-]+\.[\w-]+\.[\w-]+$/);
});
