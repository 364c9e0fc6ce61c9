import type { Session, SupabaseClient } from "@supabase/supabase-js";
import { decodeJwt } from "jose";
import { afterAll, describe, expect, test } from "vitest";
import { type Account, createStorage, SITE, startTestAuth } from "../support/auth.ts";

const auth = await startTestAuth();
const member = await auth.member();
afterAll(() => auth.stop());

async function signIn(account: Account, client = auth.client()): Promise<[SupabaseClient, Session]> {
  const { data, error } = await client.auth.signInWithPassword(account);
  if (error) throw error;
  return [client, data.session];
}

function refresh(token: string): Promise<Response> {
  return auth.post("token?grant_type=refresh_token", { refresh_token: token });
}

async function refreshed(token: string): Promise<Session> {
  const response = await refresh(token);
  expect(response.status).toBe(200);
  return response.json();
}

async function userStatus(accessToken: string): Promise<number> {
  return (await auth.request("user", { headers: { authorization: `Bearer ${accessToken}` } })).status;
}

async function restStatus(accessToken: string): Promise<number> {
  const client = auth.client();
  const { status } = await client
    .from("skills")
    .select("id")
    .setHeader("authorization", `Bearer ${accessToken}`);
  return status;
}

async function countLiveTokens(userId: string): Promise<number> {
  const text = `select count(*)::int as live from auth.refresh_tokens where user_id = $1::text and not revoked`;
  return (await auth.admin.query(text, [userId])).rows[0].live;
}

describe("the session that a sign-in starts", () => {
  test("a session contains the specified fields, and its access token expires in 28800 seconds", async () => {
    const [, session] = await signIn(member);
    expect(Object.keys(session).sort()).toEqual([
      "access_token",
      "expires_at",
      "expires_in",
      "refresh_token",
      "token_type",
      "user",
    ]);
    expect(session.expires_in).toBe(28_800);
    expect(session.token_type).toBe("bearer");
    expect(session.user).toMatchObject({ id: member.id, email: member.email, aud: "authenticated" });
    expect(session.user.identities).toHaveLength(1);
    expect(session.user.last_sign_in_at).toBeDefined();
  });

  test("an access token contains the member's id, email address and session id, and is valid for 28800 seconds", async () => {
    const [, session] = await signIn(member);
    const claims = decodeJwt(session.access_token);
    expect(claims).toMatchObject({
      sub: member.id,
      role: "authenticated",
      email: member.email,
      aud: "authenticated",
      exp: session.expires_at,
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(28_800);
  });

  test("getUser and getClaims return the signed-in member, and a new client finds the session in storage under techfolio.session", async () => {
    const storage = createStorage();
    const [client] = await signIn(member, auth.client({ storage }));
    expect((await client.auth.getUser()).data.user?.id).toBe(member.id);
    const { data, error } = await client.auth.getClaims();
    expect(error).toBeNull();
    expect(data?.claims.sub).toBe(member.id);
    expect(JSON.parse(storage.getItem("techfolio.session") ?? "{}").user.id).toBe(member.id);
    const reopened = auth.client({ storage });
    expect((await reopened.auth.getSession()).data.session?.user.id).toBe(member.id);
  });

  test("the database does not store the refresh token itself", async () => {
    const [, session] = await signIn(member);
    const [token, key] = await Promise.all([
      auth.admin.query("select from auth.refresh_tokens where token = $1", [session.refresh_token]),
      auth.admin.query("select from auth.sessions where refresh_token_hmac_key = $1", [
        session.refresh_token,
      ]),
    ]);
    expect([token.rowCount, key.rowCount]).toEqual([0, 0]);
  });
});

describe("refreshing a session", () => {
  test("a refresh token is replaced on use, and the session continues", async () => {
    const [client, first] = await signIn(member);
    const { data, error } = await client.auth.refreshSession();
    expect(error).toBeNull();
    expect(data.session?.refresh_token).not.toBe(first.refresh_token);
    expect(decodeJwt(data.session?.access_token ?? "")["session_id"]).toBe(
      decodeJwt(first.access_token)["session_id"],
    );
    expect(await userStatus(first.access_token)).toBe(200);
  });

  test("using a refresh token again within 10 seconds returns the same new token", async () => {
    const [, session] = await signIn(member);
    const first = await refreshed(session.refresh_token);
    await auth.advance(9_000);
    const second = await refreshed(session.refresh_token);
    expect(second.refresh_token).toBe(first.refresh_token);
    await refreshed(second.refresh_token);
  });

  test.each([2, 3])(
    "reusing a refresh token %i refreshes later ends the session, even within 10 seconds",
    async (generations) => {
      const [, session] = await signIn(member);
      let newest = session;
      for (let step = 0; step < generations; step += 1) newest = await refreshed(newest.refresh_token);
      const reuse = await refresh(session.refresh_token);
      expect(reuse.status).toBe(400);
      expect(await reuse.json()).toMatchObject({ error_code: "refresh_token_already_used" });
      expect((await refresh(newest.refresh_token)).status).toBe(400);
      expect(await userStatus(newest.access_token)).toBe(401);
    },
  );

  test.each([1, 3])(
    "reusing a refresh token after more than 10 seconds and %i refreshes ends the session",
    async (steps) => {
      const [, session] = await signIn(member);
      let newest = session;
      for (let step = 0; step < steps; step += 1) {
        newest = { ...newest, ...(await refreshed(newest.refresh_token)) };
        await auth.advance(10_500);
      }
      const reuse = await refresh(session.refresh_token);
      expect(reuse.status).toBe(400);
      expect(await reuse.json()).toMatchObject({ error_code: "refresh_token_already_used" });
      expect((await refresh(newest.refresh_token)).status).toBe(400);
      expect(await userStatus(newest.access_token)).toBe(401);
      expect(await restStatus(newest.access_token)).toBe(401);
    },
  );

  test("if a thief has used a member's refresh token, the member's next use of it ends the session for both", async () => {
    const [, session] = await signIn(member);
    const thief = await refreshed(session.refresh_token);
    await auth.advance(11_000);
    const thiefAgain = await refreshed(thief.refresh_token);
    expect((await refresh(session.refresh_token)).status).toBe(400);
    expect(await userStatus(thiefAgain.access_token)).toBe(401);
    expect((await refresh(thiefAgain.refresh_token)).status).toBe(400);
  });

  test("twenty simultaneous refreshes of a session leave one valid refresh token and the member signed in", async () => {
    const account = await auth.member();
    const [, session] = await signIn(account);
    const responses = await Promise.all(Array.from({ length: 20 }, () => refreshed(session.refresh_token)));
    expect(new Set(responses.map((response) => response.refresh_token)).size).toBe(1);
    expect(await countLiveTokens(account.id)).toBe(1);
    for (const response of responses) expect(await userStatus(response.access_token)).toBe(200);
    await auth.advance(60_000);
    await refreshed(responses[0]?.refresh_token ?? "");
  });

  test("twenty tabs that refresh their shared session simultaneously stay signed in", async () => {
    const account = await auth.member();
    const storage = createStorage();
    await signIn(account, auth.client({ storage }));
    const tabs = Array.from({ length: 20 }, () => auth.client({ storage }));
    await Promise.all(tabs.map((tab) => tab.auth.refreshSession()));
    for (const tab of tabs) {
      expect((await tab.auth.getUser()).data.user?.id).toBe(account.id);
    }
    expect(await countLiveTokens(account.id)).toBe(1);
  });

  test.each([
    "update auth.users set banned_until = now() + interval '1 day' where id = $1",
    "update auth.sessions set not_after = now() where user_id = $1",
  ])("a refresh token is rejected but not revoked after the SQL statement '%s'", async (statement) => {
    const account = await auth.member();
    const [, session] = await signIn(account);
    await auth.admin.query(statement, [account.id]);
    expect((await refresh(session.refresh_token)).status).toBe(400);
    expect(await countLiveTokens(account.id)).toBe(1);
  });

  test("while two members are signed in, each one's refresh token returns a session of that member", async () => {
    const [, one] = await signIn(member);
    const other = await auth.member();
    const [, two] = await signIn(other);
    const response = await refreshed(two.refresh_token);
    expect(response.user.id).toBe(other.id);
    expect((await refreshed(one.refresh_token)).user.id).toBe(member.id);
  });
});

describe("signing out", () => {
  test("signing out takes effect immediately for auth and data requests", async () => {
    const [client, session] = await signIn(member);
    expect(await restStatus(session.access_token)).toBe(200);
    expect((await client.auth.signOut()).error).toBeNull();
    expect(await userStatus(session.access_token)).toBe(401);
    expect(await restStatus(session.access_token)).toBe(401);
    expect((await refresh(session.refresh_token)).status).toBe(400);
    expect((await client.auth.getSession()).data.session).toBeNull();
  });

  test("supabase-js removes a stored session that has ended on the server", async () => {
    const storage = createStorage();
    const [client] = await signIn(member, auth.client({ storage }));
    const kept = storage.getItem("techfolio.session") ?? "";
    await client.auth.signOut();
    storage.setItem("techfolio.session", kept);
    const { data, error } = await auth.client({ storage }).auth.getUser();
    expect(data.user).toBeNull();
    expect(error?.name).toBe("AuthSessionMissingError");
    expect(storage.getItem("techfolio.session")).toBeNull();
  });

  test.each([
    ["local", [401, 200]],
    ["others", [200, 401]],
    ["global", [401, 401]],
  ] as const)(
    "signing out with the scope %s ends only the sessions in that scope",
    async (scope, expected) => {
      const account = await auth.member();
      const [mine, here] = await signIn(account);
      const [, there] = await signIn(account);
      const stranger = await auth.member();
      const [, strangers] = await signIn(stranger);
      expect((await mine.auth.signOut({ scope })).error).toBeNull();
      expect([await userStatus(here.access_token), await userStatus(there.access_token)]).toEqual(expected);
      expect(await userStatus(strangers.access_token)).toBe(200);
    },
  );

  test("an unknown sign-out scope is rejected", async () => {
    const [, session] = await signIn(member);
    const headers = { authorization: `Bearer ${session.access_token}` };
    const response = await auth.post("logout?scope=everything", {}, headers);
    expect(response.status).toBe(400);
    expect(await userStatus(session.access_token)).toBe(200);
  });
});

describe("a deleted or banned account", () => {
  test("a deleted account is signed out immediately", async () => {
    const account = await auth.member();
    const [, session] = await signIn(account);
    expect((await auth.service.auth.admin.deleteUser(account.id)).error).toBeNull();
    expect(await userStatus(session.access_token)).toBe(401);
    expect(await restStatus(session.access_token)).toBe(401);
    expect((await refresh(session.refresh_token)).status).toBe(400);
  });

  test("a ban signs the member out, and only the right password reveals the ban", async () => {
    const account = await auth.member();
    const [, session] = await signIn(account);
    await auth.service.auth.admin.updateUserById(account.id, { ban_duration: "24h" });
    expect(await userStatus(session.access_token)).toBe(401);
    expect((await refresh(session.refresh_token)).status).toBe(400);
    const client = auth.client();
    const right = await client.auth.signInWithPassword(account);
    expect(right.error?.code).toBe("user_banned");
    const wrong = await client.auth.signInWithPassword({ ...account, password: "not it, really" });
    expect(wrong.error?.code).toBe("invalid_credentials");
    await auth.service.auth.admin.updateUserById(account.id, { ban_duration: "none" });
    await signIn(account);
  });
});

describe("changing a member's password", () => {
  test("a member's new password ends their other sessions and invalidates the old password", async () => {
    const account = await auth.member();
    const [client, here] = await signIn(account);
    const [, there] = await signIn(account);
    const password = "a new one, much better";
    const { error } = await client.auth.updateUser({ password });
    expect(error).toBeNull();
    expect(await userStatus(here.access_token)).toBe(200);
    await refreshed(here.refresh_token);
    expect(await userStatus(there.access_token)).toBe(401);
    expect((await refresh(there.refresh_token)).status).toBe(400);
    const old = await auth.client().auth.signInWithPassword(account);
    expect(old.error?.code).toBe("invalid_credentials");
    await signIn({ ...account, password });
  });

  test.each([
    ["weak_password", 422, "short"],
    ["same_password", 422, undefined],
    ["validation_failed", 400, "x".repeat(73)],
    ["validation_failed", 400, "ä".repeat(37)],
  ])(
    "an unsuitable new password is rejected with %s and status %i, and the old one stays valid",
    async (code, status, password) => {
      const account = await auth.member();
      const [client] = await signIn(account);
      const { error } = await client.auth.updateUser({ password: password ?? account.password });
      expect(error).toMatchObject({ code, status });
      if (code === "weak_password") expect(error).toMatchObject({ reasons: ["length"] });
      await signIn(account);
    },
  );
});

test("changing an account's phone number is rejected", async () => {
  const [client] = await signIn(await auth.member());
  const { error } = await client.auth.updateUser({ phone: "+41790000000" });
  expect(error).toMatchObject({ status: 422, code: "phone_provider_disabled" });
});

describe("password changes that include the current password", () => {
  const password = "a new one, much better";

  test("changing the password ends the other sessions and sends an email that names the site and omits the password", async () => {
    const account = await auth.member();
    const [client, here] = await signIn(account);
    const [, there] = await signIn(account);
    const { error } = await client.auth.updateUser({ password, current_password: account.password });
    expect(error).toBeNull();
    expect(await userStatus(here.access_token)).toBe(200);
    expect(await userStatus(there.access_token)).toBe(401);
    await signIn({ ...account, password });
    const mail = auth.mails.find(({ to }) => to === account.email);
    expect(mail?.subject).toBe("Your password for Techfolio was changed");
    expect(mail?.text).toContain(`${SITE}/profile`);
    expect(mail?.text).not.toContain(password);
  });

  test("15 minutes after the sign-in, a password change needs the current password, also in a refreshed session", async () => {
    const account = await auth.member();
    const [client] = await signIn(account);
    const [other] = await signIn(account);
    await auth.advance(16 * 60_000);
    await client.auth.refreshSession();
    const refused = await client.auth.updateUser({ password });
    expect(refused.error).toMatchObject({ status: 400, code: "reauthentication_needed" });
    const withCode = await client.auth.updateUser({ password, nonce: "123456" });
    expect(withCode.error).toMatchObject({ status: 422, code: "reauthentication_not_valid" });
    expect((await other.auth.updateUser({ data: { theme: "dark" } })).error).toBeNull();
    await signIn(account);
    const changed = await client.auth.updateUser({ password, current_password: account.password });
    expect(changed.error).toBeNull();
    await signIn({ ...account, password });
  });

  test("a recovery link replaces the current password", async () => {
    const account = await auth.member();
    const { data } = await auth.service.auth.admin.generateLink({ type: "recovery", email: account.email });
    const client = auth.client();
    const token_hash = data.properties?.hashed_token ?? "";
    expect((await client.auth.verifyOtp({ token_hash, type: "recovery" })).error).toBeNull();
    expect((await client.auth.updateUser({ password })).error).toBeNull();
    await signIn({ ...account, password });
  });

  test("a member is sent an email if an operator sets their password", async () => {
    const account = await auth.member();
    const { error } = await auth.service.auth.admin.updateUserById(account.id, { password });
    expect(error).toBeNull();
    const mail = auth.mails.find(({ to }) => to === account.email);
    expect(mail?.subject).toBe("Your password for Techfolio was changed");
    expect(mail?.text).toContain("An operator of Techfolio set a new password");
    expect(mail?.text).not.toContain(password);
  });

  test("the first password after an invitation sends no email", async () => {
    const email = "first-password@example.com";
    const { data } = await auth.service.auth.admin.generateLink({ type: "invite", email });
    const client = auth.client();
    const token_hash = data.properties?.hashed_token ?? "";
    expect((await client.auth.verifyOtp({ token_hash, type: "invite" })).error).toBeNull();
    expect((await client.auth.updateUser({ password })).error).toBeNull();
    expect(auth.mails.filter(({ to }) => to === email)).toEqual([]);
    expect((await client.auth.updateUser({ password: `${password}!` })).error).toBeNull();
    expect(auth.mails.filter(({ to }) => to === email)).toHaveLength(1);
  });

  test.each(["not it", "", "x".repeat(100)])(
    "a password change with %j as the current password is rejected",
    async (wrong) => {
      const account = await auth.member();
      const [client] = await signIn(account);
      const { error } = await client.auth.updateUser({ password, current_password: wrong });
      expect(error).toMatchObject({ status: 400, code: "current_password_invalid" });
      await signIn(account);
      expect(auth.mails.find(({ to }) => to === account.email)).toBeUndefined();
    },
  );

  test("guesses at the current password are limited, and each is logged", async () => {
    const account = await auth.member();
    const [client] = await signIn(account);
    const before = auth.lines.length;
    for (let count = 0; count < 10; count += 1) {
      await client.auth.updateUser({ password, current_password: `guess ${count}` });
    }
    const { error } = await client.auth.updateUser({ password, current_password: account.password });
    expect(error).toMatchObject({ status: 429, code: "over_request_rate_limit" });
    const logged = auth.lines.slice(before).filter((line) => line.includes("sign_in.failed"));
    expect(logged).toHaveLength(11);
    await signIn(account);
  });
});

describe("changes to an account's user metadata and other fields", () => {
  test("user metadata is merged, null removes a key, and USER_UPDATED fires", async () => {
    const account = await auth.member();
    const [client] = await signIn(account);
    const events: string[] = [];
    client.auth.onAuthStateChange((event) => void events.push(event));
    await client.auth.updateUser({ data: { theme: "dark", language: "en" } });
    const { data } = await client.auth.updateUser({ data: { language: null, size: 2 } });
    expect(data.user?.user_metadata).toEqual({ theme: "dark", size: 2 });
    expect(events).toContain("USER_UPDATED");
  });

  test("user metadata above 16 KiB is rejected, even if it grows in steps", async () => {
    const account = await auth.member();
    const [client] = await signIn(account);
    const piece = "x".repeat(10_000);
    expect((await client.auth.updateUser({ data: { a: piece } })).error).toBeNull();
    const { error } = await client.auth.updateUser({ data: { b: piece } });
    expect(error?.code).toBe("validation_failed");
    expect(Object.keys((await client.auth.getUser()).data.user?.user_metadata ?? {})).toEqual(["a"]);
  });

  test("a member cannot change the app_metadata, role or email address of their account", async () => {
    const account = await auth.member();
    const [client, session] = await signIn(account);
    const put = async (body: unknown) =>
      auth.request("user", {
        method: "PUT",
        headers: { authorization: `Bearer ${session.access_token}` },
        body: JSON.stringify(body),
      });
    expect((await put({ app_metadata: { admin: true } })).status).toBe(403);
    expect((await put({ role: "service_role", data: {} })).status).toBe(200);
    expect((await put({ email: "somebody@else.example" })).status).toBe(422);
    expect((await put({ email: ` ${account.email.toUpperCase()} ` })).status).toBe(200);
    const { data } = await client.auth.getUser();
    expect(data.user).toMatchObject({ role: "authenticated", email: account.email });
    expect(data.user?.app_metadata).toEqual({ provider: "email", providers: ["email"] });
  });
});
