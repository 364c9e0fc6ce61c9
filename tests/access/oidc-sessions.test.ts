import type { Session } from "@supabase/supabase-js";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { SITE, startTestAuth, type TestAuth } from "../support/auth.ts";
import { startTestDatabase } from "../support/database.ts";
import { startIdentityProvider } from "../support/identity-provider.ts";
import { CALLBACK, createVisits, newPerson, settingsOf } from "../support/single-sign-on.ts";

const HOUR_MS = 3_600_000;

const shared = await startTestDatabase();
afterAll(() => shared.stop());

describe.each([
  ["a refresh token", true, "/token"],
  ["userinfo", false, "/me"],
])("a session that is checked with %s", async (_, issuesRefreshTokens, path) => {
  const provider = await startIdentityProvider({ redirectUri: CALLBACK, issuesRefreshTokens });
  const singleSignOn = settingsOf(provider);
  // A new site for each test: a site doesn't ask a provider that failed for a minute.
  let auth: TestAuth;
  let signIn: ReturnType<typeof createVisits>["signIn"];
  beforeEach(async () => {
    provider.intercept(undefined);
    auth = await startTestAuth({ singleSignOn }, shared);
    ({ signIn } = createVisits(auth, provider));
  });
  afterAll(() => provider.stop());

  const refresh = ({ refresh_token }: Session) =>
    auth.post("token?grant_type=refresh_token", { refresh_token });

  async function refreshed(session: Session): Promise<Session> {
    const response = await refresh(session);
    expect(response.status).toBe(200);
    return response.json();
  }

  const countChecks = () => provider.requests.filter((requested) => requested === path).length;

  async function isLive({ access_token }: Session): Promise<boolean> {
    const headers = { authorization: `Bearer ${access_token}` };
    return (await auth.request("user", { headers })).ok;
  }

  test("asks the provider at most once an hour", async () => {
    let { session } = await signIn(newPerson());
    const before = countChecks();
    for (let step = 0; step < 3; step += 1) session = await refreshed(session);
    expect(countChecks()).toBe(before);
    for (let hour = 1; hour <= 2; hour += 1) {
      await auth.advance(HOUR_MS);
      session = await refreshed(session);
      session = await refreshed(session);
      expect(countChecks()).toBe(before + hour);
    }
  });

  test("asks the provider once if twenty tabs refresh at the same time", async () => {
    const { session } = await signIn(newPerson());
    const before = countChecks();
    await auth.advance(HOUR_MS);
    await Promise.all(Array.from({ length: 20 }, () => refreshed(session)));
    expect(countChecks()).toBe(before + 1);
  });

  test("ends within an hour after the provider no longer accepts it", async () => {
    const person = newPerson();
    const { session } = await signIn(person);
    const other = await signIn(newPerson());
    provider.removePerson(person.sub);
    const later = await refreshed(session);
    await auth.advance(HOUR_MS);
    const response = await refresh(later);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error_code: "refresh_token_not_found" });
    expect(await isLive(later)).toBe(false);
    await refreshed(other.session);
    expect(auth.lines.join("\n")).toContain("sso.session_ended");
  });

  test.each<[string, number]>([
    ["responds with 500", 500],
    ["is overloaded", 429],
    // Userinfo responds with 401 to an access token that it no longer accepts.
    ...(issuesRefreshTokens ? [["doesn't know the client", 401] satisfies [string, number]] : []),
  ])("continues for a day while the provider %s", async (_, status) => {
    const { session } = await signIn(newPerson());
    provider.intercept((_, response) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: "invalid_client" }));
      return true;
    });
    await auth.advance(HOUR_MS);
    const later = await refreshed(session);
    expect(await isLive(later)).toBe(true);
    expect(auth.lines.join("\n")).toContain("sso.check_failed");
  });

  test("doesn't make every refresh wait for a provider that is down", async () => {
    const sessions = [(await signIn(newPerson())).session, (await signIn(newPerson())).session];
    provider.intercept((_, response) => {
      response.destroy();
      return true;
    });
    await auth.advance(HOUR_MS);
    const before = provider.requests.length;
    for (const session of sessions) await refreshed(session);
    expect(provider.requests.length).toBeLessThanOrEqual(before + 1);
  });

  test("ends if the provider has not confirmed it for a day", async () => {
    const { session } = await signIn(newPerson());
    provider.intercept((_, response) => {
      response.writeHead(503).end();
      return true;
    });
    await auth.advance(25 * HOUR_MS);
    expect((await refresh(session)).status).toBe(400);
    expect(await isLive(session)).toBe(false);
  });

  test("isn't ended by an unknown refresh token", async () => {
    const { session } = await signIn(newPerson());
    await auth.advance(HOUR_MS);
    const before = countChecks();
    expect((await refresh({ ...session, refresh_token: "made up" })).status).toBe(400);
    expect(countChecks()).toBe(before);
    await refreshed(session);
  });
});

describe("with PASSWORD_SIGN_IN=off", async () => {
  const provider = await startIdentityProvider({ redirectUri: CALLBACK });
  const singleSignOn = settingsOf(provider);
  const auth = await startTestAuth({ singleSignOn, passwordSignIn: false }, shared);
  const { signIn } = createVisits(auth, provider);
  beforeEach(() => shared.admin.query("delete from auth.users; delete from auth.rate_limits"));
  afterAll(() => provider.stop());
  const rejected = { status: 422, code: "email_provider_disabled" };

  test("the settings say that only the provider can be used", async () => {
    const settings = await (await auth.request("settings")).json();
    expect(settings).toMatchObject({ external: { email: false, oidc: true }, disable_signup: true });
  });

  test("neither a right nor a wrong password signs in or counts as an attempt", async () => {
    const account = await auth.member();
    for (const password of [account.password, "wrong"]) {
      const { error } = await auth.client().auth.signInWithPassword({ email: account.email, password });
      expect(error).toMatchObject(rejected);
    }
    expect((await auth.admin.query("select from auth.rate_limits")).rowCount).toBe(0);
  });

  test("a linked member signs in at the provider, but not with an old password", async () => {
    const account = await auth.member();
    const { user } = await signIn(newPerson({ email: account.email }));
    expect(user.id).toBe(account.id);
    expect((await auth.client().auth.signInWithPassword(account)).error).toMatchObject(rejected);
  });

  test("recovery and the links of earlier emails are rejected", async () => {
    const { email } = await auth.member();
    const recovery = await auth.client().auth.resetPasswordForEmail(email);
    expect(recovery.error).toMatchObject(rejected);
    for (const type of ["recovery", "invite"] as const) {
      const address = type === "invite" ? `new-${email}` : email;
      const { data } = await auth.service.auth.admin.generateLink({ type, email: address });
      const token_hash = data.properties?.hashed_token ?? "";
      expect((await auth.client().auth.verifyOtp({ type, token_hash })).error).toMatchObject(rejected);
    }
    expect(auth.mails).toEqual([]);
  });

  test("members can't change their password, but can change their metadata", async () => {
    const { client } = await signIn(newPerson());
    expect((await client.auth.updateUser({ password: "a new password" })).error).toMatchObject(rejected);
    expect((await client.auth.updateUser({ data: { theme: "dark" } })).error).toBeNull();
  });

  test("a session that began with a password ends at its next refresh", async () => {
    const account = await auth.member();
    const { session } = await signIn(newPerson({ email: account.email }));
    await auth.admin.query("delete from auth.provider_sessions");
    const response = await auth.post("token?grant_type=refresh_token", {
      refresh_token: session.refresh_token,
    });
    expect(response.status).toBe(400);
    const headers = { authorization: `Bearer ${session.access_token}` };
    expect((await auth.request("user", { headers })).status).toBe(401);
  });

  test("an invitation names the provider, and contains no link to choose a password", async () => {
    const email = String(newPerson().email);
    expect((await auth.service.auth.admin.inviteUserByEmail(email)).error).toBeNull();
    const mail = auth.mails.find(({ to }) => to === email);
    expect(mail?.text).toContain("Sign in with Example");
    expect(mail?.text).toContain(`${SITE}/profile`);
    expect(mail?.text).not.toMatch(/token_hash|password/);
    await signIn(newPerson({ email }));
  });
});

describe.each([true, false])("with OIDC_OPERATORS and refresh tokens: %s", async (issuesRefreshTokens) => {
  const provider = await startIdentityProvider({ redirectUri: CALLBACK, issuesRefreshTokens });
  const singleSignOn = settingsOf(provider);
  const operatorGroups = ["editors", "Site Admins"];
  const auth = await startTestAuth({ singleSignOn: { ...singleSignOn, operatorGroups } }, shared);
  const { signIn } = createVisits(auth, provider);
  beforeEach(() => shared.admin.query("delete from auth.users"));
  afterAll(() => provider.stop());

  test("each sign-in makes a member of a group an operator, and others not", async () => {
    const person = newPerson();
    const roles: unknown[] = [];
    for (const groups of [["Site Admins", "x"], undefined, ["editors"], ["x"], ["editors"], []]) {
      roles.push((await signIn({ ...person, groups })).user.app_metadata["role"]);
    }
    expect(roles).toEqual(["operator", undefined, "operator", undefined, "operator", undefined]);
  });

  test.each([["site admins"], ["editors,x"], "editors", { editors: true }, [["editors"]], "Site Admins"])(
    "the claim %j makes nobody an operator",
    async (groups) => {
      expect((await signIn(newPerson({ groups }))).user.app_metadata["role"]).toBeUndefined();
    },
  );

  test.each([{ groups: [] }, {}])(
    "an operator whose groups are now %j is none after the next refresh",
    async (groups) => {
      const person = newPerson({ groups: ["editors"] });
      const { session } = await signIn(person);
      const { sub, email, email_verified, name } = person;
      provider.setPerson({ sub, email, email_verified, name, ...groups });
      await auth.advance(HOUR_MS);
      const response = await auth.post("token?grant_type=refresh_token", {
        refresh_token: session.refresh_token,
      });
      const { user } = (await response.json()) as Session;
      expect([response.status, user.app_metadata["role"]]).toEqual([200, undefined]);
    },
  );

  test("without the setting, the provider changes no roles", async () => {
    const site = await startTestAuth({ singleSignOn }, shared);
    const visits = createVisits(site, provider);
    const person = newPerson({ groups: ["editors"] });
    expect((await visits.signIn(person)).user.app_metadata["role"]).toBeUndefined();
    await site.admin.query(
      `update auth.users set raw_app_meta_data = raw_app_meta_data || '{"role":"operator"}'`,
    );
    expect((await visits.signIn({ ...person, groups: [] })).user.app_metadata["role"]).toBe("operator");
  });
});

describe("members without a password", async () => {
  const provider = await startIdentityProvider({ redirectUri: CALLBACK });
  const singleSignOn = settingsOf(provider);
  const auth = await startTestAuth({ singleSignOn }, shared);
  const { signIn } = createVisits(auth, provider);
  beforeEach(() => shared.admin.query("delete from auth.users"));
  afterAll(() => provider.stop());

  test("get an email that explains how they sign in, without a recovery link", async () => {
    const { user } = await signIn(newPerson());
    await auth.client().auth.resetPasswordForEmail(user.email ?? "");
    await expect.poll(() => auth.mails.find(({ to }) => to === user.email)).toBeDefined();
    const mail = auth.mails.find(({ to }) => to === user.email);
    expect(mail?.text).toContain("Sign in with Example");
    expect(mail?.text).not.toMatch(/code=|token_hash=/);
  });

  test("can also sign in with a password that an operator sets", async () => {
    const { user } = await signIn(newPerson());
    const password = "set by an operator";
    await auth.service.auth.admin.updateUserById(user.id, { password });
    const { data, error } = await auth
      .client()
      .auth.signInWithPassword({ email: user.email ?? "", password });
    expect(error).toBeNull();
    expect(data.user?.app_metadata["providers"]).toEqual(["email", "oidc"]);
  });
});

test("without the settings, the site offers no provider and has no such routes", async () => {
  const auth = await startTestAuth({}, shared);
  const { external } = await (await auth.request("settings")).json();
  expect(external).toEqual({ email: true, phone: false, anonymous_users: false });
  for (const path of ["authorize?provider=oidc", "callback?code=x&state=y"]) {
    expect((await auth.request(path)).status).toBe(404);
  }
});
