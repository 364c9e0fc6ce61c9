import { randomUUID } from "node:crypto";
import bcrypt from "bcrypt";
import { afterAll, describe, expect, test } from "vitest";
import { startTestAuth } from "../support/auth.ts";

const auth = await startTestAuth();
const member = await auth.member();
afterAll(() => auth.stop());

const admin = () => auth.service.auth.admin;

describe("creating an account with the service key", () => {
  test("a created account has its email address in lower case, an email identity and a profile, and can sign in", async () => {
    auth.onWrite.mockClear();
    const { data, error } = await admin().createUser({
      email: " Ada@Example.com ",
      password: "analytical",
      email_confirm: true,
      user_metadata: { name: "Ada" },
    });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      email: "ada@example.com",
      role: "authenticated",
      aud: "authenticated",
      user_metadata: { name: "Ada" },
      app_metadata: { provider: "email", providers: ["email"] },
      is_anonymous: false,
    });
    expect(data.user?.identities?.[0]).toMatchObject({
      provider: "email",
      user_id: data.user?.id,
      identity_data: { email: "ada@example.com", sub: data.user?.id, email_verified: true },
    });
    expect(auth.onWrite).toHaveBeenCalledOnce();
    const profile = await auth.service
      .from("profiles")
      .select("id")
      .eq("id", data.user?.id ?? "")
      .single();
    expect(profile.error).toBeNull();
    const signedIn = await auth.client().auth.signInWithPassword({
      email: "ada@example.com",
      password: "analytical",
    });
    expect(signedIn.error).toBeNull();
  });

  test("a taken email address is rejected in any letter case, and only one of two simultaneous requests for an address succeeds", async () => {
    const taken = await admin().createUser({ email: member.email.toUpperCase(), password: "whatever" });
    expect(taken.error).toMatchObject({ status: 422, code: "email_exists" });
    const both = await Promise.all(
      ["twin@example.com", "TWIN@example.com"].map((email) => admin().createUser({ email })),
    );
    expect(both.map(({ error }) => error?.code).sort()).toEqual(["email_exists", undefined]);
  });

  test.each([
    [{ email: "" }, 400, "validation_failed"],
    [{ email: "not an address" }, 400, "validation_failed"],
    [{ email: "x@example.com", password: "short" }, 422, "weak_password"],
    [{ email: "x@example.com", password: "" }, 422, "weak_password"],
    [{ email: "x@example.com", password: "x".repeat(73) }, 400, "validation_failed"],
    [{ email: "x@example.com", id: "7" }, 400, "validation_failed"],
    [{ email: "x@example.com", app_metadata: ["operator"] }, 400, "bad_json"],
    [{ email: "x@example.com", role: "service_role" }, 400, "validation_failed"],
    [{ email: "x@example.com", ban_duration: "for ever" }, 400, "validation_failed"],
    [{ email: "x@example.com", ban_duration: "1" }, 400, "validation_failed"],
    [{ email: "x@example.com", ban_duration: "1d" }, 400, "validation_failed"],
    [{ email: "x@example.com", ban_duration: "-1h" }, 400, "validation_failed"],
    [{ email: "x@example.com", ban_duration: "h" }, 400, "validation_failed"],
    [{ email: "x@example.com", ban_duration: "1h;" }, 400, "validation_failed"],
    [{ email: "x@example.com", ban_duration: "1e9h" }, 400, "validation_failed"],
    [{ email: "x@example.com", password_hash: `$2b$31$${"x".repeat(53)}` }, 400, "validation_failed"],
    [{ email: "x@example.com", password_hash: "$argon2id$v=19$m=64,t=1,p=1$a$b" }, 400, "validation_failed"],
    [{ email: "x@example.com", password_hash: "hunter2" }, 400, "validation_failed"],
    [
      { email: "x@example.com", password: "analytical", password_hash: `$2b$10$${"x".repeat(53)}` },
      400,
      "validation_failed",
    ],
    [{ email: "x@example.com", aud: "x" }, 400, "validation_failed"],
    [{ email: "x@example.com", phone: "+41790000000" }, 400, "validation_failed"],
  ])("creating an account with %j is rejected with %i %s", async (attributes, status, code) => {
    const { data, error } = await admin().createUser(attributes);
    expect(error).toMatchObject({ status, code });
    expect(data.user).toBeNull();
    expect((await admin().listUsers()).data.users.map(({ email }) => email)).not.toContain("x@example.com");
  });

  test("a created account has empty strings and a zero instance_id in columns where Supabase's auth service cannot read nulls", async () => {
    const { rows } = await auth.admin.query(
      `select confirmation_token, recovery_token, email_change_token_new, email_change, instance_id::text
       from auth.users where id = $1`,
      [member.id],
    );
    expect(Object.values(rows[0])).toEqual(["", "", "", "", "00000000-0000-0000-0000-000000000000"]);
  });
});

describe("reading accounts with the service key", () => {
  test("the service key can read an account by its id, and an unknown or invalid id gets 404", async () => {
    expect((await admin().getUserById(member.id)).data.user?.email).toBe(member.email);
    const { error } = await admin().getUserById(randomUUID());
    expect(error).toMatchObject({ status: 404, code: "user_not_found" });
    const response = await auth.request("admin/users/1%20or%201=1", {
      headers: { authorization: `Bearer ${auth.keys.serviceKey}` },
    });
    expect(response.status).toBe(404);
  });

  test("the first two pages of the account list neither skip nor repeat an account, and a page past the end is empty", async () => {
    for (let count = 0; count < 5; count += 1) await auth.member();
    const { data: all } = await admin().listUsers({ perPage: 1000 });
    const total = "total" in all ? all.total : 0;
    expect(all.users.length).toBe(total);
    const first = await admin().listUsers({ page: 1, perPage: 2 });
    const second = await admin().listUsers({ page: 2, perPage: 2 });
    expect(first.data).toMatchObject({ nextPage: 2, total });
    expect([...first.data.users, ...second.data.users].map(({ id }) => id)).toEqual(
      all.users.slice(0, 4).map(({ id }) => id),
    );
    const pastTheEnd = await admin().listUsers({ page: 999, perPage: 1000 });
    expect(pastTheEnd.data.users).toEqual([]);
  });

  test.each([
    "page=0",
    "page=-1",
    "page=1.5",
    "per_page=0",
    "per_page=1001",
    "page=99999999999999999999",
    "page='",
  ])("listing accounts with the query %s is rejected with 400", async (query) => {
    const headers = { authorization: `Bearer ${auth.keys.serviceKey}` };
    expect((await auth.request(`admin/users?${query}`, { headers })).status).toBe(400);
  });

  test("the list of accounts contains no password, hash or token", async () => {
    await admin().generateLink({ type: "recovery", email: member.email });
    const headers = { authorization: `Bearer ${auth.keys.serviceKey}` };
    const text = await (await auth.request("admin/users", { headers })).text();
    expect(text).not.toMatch(/password|\$2b\$|token/);
  });
});

describe("changing an account with the service key", () => {
  test("the service key can change an account's email address and user metadata, and confirm the address", async () => {
    const { data: created } = await admin().createUser({
      email: "before@example.com",
      user_metadata: { a: 1 },
    });
    const id = created.user?.id ?? "";
    const { data, error } = await admin().updateUserById(id, {
      email: "After@example.com",
      email_confirm: true,
      user_metadata: { a: null, b: 2 },
    });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      email: "after@example.com",
      user_metadata: { b: 2 },
    });
    expect(data.user?.user_metadata).not.toHaveProperty("a");
    expect(data.user?.email_confirmed_at).toBeDefined();
    expect(data.user?.identities?.[0]?.identity_data).toMatchObject({ email: "after@example.com" });
  });

  test.each(["2a", "2b", "2y"])(
    "an account moves here with its id and its password's hash ($%s$), and its owner can sign in",
    async (version) => {
      const id = randomUUID();
      const email = `moved-${version}@example.com`;
      const hash = (await bcrypt.hash("analytical", 4)).replace(/^\$2b/, `$${version}`);
      const { data, error } = await admin().createUser({
        id,
        email,
        password_hash: hash,
        email_confirm: true,
      });
      expect([error, data.user?.id]).toEqual([null, id]);
      const signedIn = await auth.client().auth.signInWithPassword({ email, password: "analytical" });
      expect(signedIn.data.user?.id).toBe(id);
      const again = await admin().createUser({ id, email: `other-${email}` });
      expect(again.error).toMatchObject({ status: 422, code: "user_already_exists" });
      const changed = await admin().updateUserById(id, {
        password_hash: await bcrypt.hash("new password", 4),
      });
      expect(changed.error).toBeNull();
      const renewed = await auth.client().auth.signInWithPassword({ email, password: "new password" });
      expect(renewed.error).toBeNull();
      const moved = await admin().updateUserById(id, { id: randomUUID() } as object);
      expect(moved.error).toMatchObject({ status: 400, code: "validation_failed" });
    },
  );

  test("a member's token names their address and metadata, and omits metadata that would not fit", async () => {
    const account = { email: "claims@example.com", password: "analytical" };
    const { data } = await admin().createUser({
      ...account,
      email_confirm: true,
      user_metadata: { nick: "Ada" },
    });
    const client = auth.client();
    await client.auth.signInWithPassword(account);
    const claims = async () => (await client.auth.getClaims()).data?.claims;
    expect(await claims()).toMatchObject({
      sub: data.user?.id,
      email: account.email,
      phone: "",
      user_metadata: { nick: "Ada" },
      app_metadata: { provider: "email" },
      amr: [{ method: "password", timestamp: expect.any(Number) }],
    });
    await client.auth.updateUser({ data: { notes: "x".repeat(4_000) } });
    await client.auth.refreshSession();
    expect((await claims())?.user_metadata).toEqual({});
    expect((await client.auth.getUser()).data.user?.user_metadata["notes"]).toHaveLength(4_000);
  });

  test.each(["recovery", "invite"] as const)(
    "a %s link has the field email_otp, which supabase-py requires, but no short code",
    async (type) => {
      const { data } = await admin().generateLink({
        type,
        email: type === "invite" ? "guest@example.com" : member.email,
      });
      expect(data.properties).toMatchObject({ email_otp: "", verification_type: type });
    },
  );

  test("the service key merges app_metadata, null removes a key, and the account's next tokens contain the result", async () => {
    const { data: created } = await admin().createUser({
      email: "metadata@example.com",
      password: "analytical",
      email_confirm: true,
      app_metadata: { role: "operator", plan: "gold" },
    });
    const provider = { provider: "email", providers: ["email"] };
    expect(created.user?.app_metadata).toEqual({ ...provider, role: "operator", plan: "gold" });
    const id = created.user?.id ?? "";
    const { data } = await admin().updateUserById(id, { app_metadata: { role: null, team: "A" } });
    expect(data.user?.app_metadata).toEqual({ ...provider, plan: "gold", team: "A" });
    const client = auth.client();
    await client.auth.signInWithPassword({ email: "metadata@example.com", password: "analytical" });
    const claims = async () => (await client.auth.getClaims()).data?.claims;
    const signedIn = await claims();
    expect(signedIn?.app_metadata).toEqual({ ...provider, plan: "gold", team: "A" });
    await auth.advance(3_600_000);
    await client.auth.refreshSession();
    const [before, after] = [signedIn, await claims()].map((each) => each?.amr?.[0] as { timestamp: number });
    expect(before?.timestamp).toBeGreaterThan(Date.now() / 1000 - 60);
    expect((before?.timestamp ?? 0) - (after?.timestamp ?? 0)).toBe(3600);
  });

  test("changing an account's email address to a taken one or its role is rejected", async () => {
    const account = await auth.member();
    const clash = await admin().updateUserById(account.id, { email: member.email });
    expect(clash.error?.code).toBe("email_exists");
    const role = await admin().updateUserById(account.id, { role: "service_role" });
    expect(role.error).toMatchObject({ status: 400, code: "validation_failed" });
  });

  test.each([
    ["24h", 86_400],
    ["1h30m", 5_400],
    ["1.5h", 5_400],
    ["90s500ms", 90.5],
    ["876000h", 876_000 * 3600],
    ["999999999h", 999_999_999 * 3600],
  ])(
    "a ban for %s sets banned_until, a change of user metadata keeps it, and lifting the ban removes it",
    async (ban_duration, seconds) => {
      const account = await auth.member();
      const { data } = await admin().updateUserById(account.id, { ban_duration });
      const until = Date.parse(data.user?.banned_until ?? "");
      expect(Math.abs(until - Date.now() - seconds * 1000)).toBeLessThan(5_000);
      await admin().updateUserById(account.id, { user_metadata: { a: 1 } });
      expect((await admin().getUserById(account.id)).data.user?.banned_until).toBe(data.user?.banned_until);
      const unbanned = await admin().updateUserById(account.id, { ban_duration: "none" });
      expect(unbanned.data.user?.banned_until).toBeUndefined();
    },
  );

  test("setting a new password with the service key ends the account's session and lets its owner sign in with that password", async () => {
    const account = await auth.member();
    const client = auth.client();
    await client.auth.signInWithPassword(account);
    await admin().updateUserById(account.id, { password: "set by the operator" });
    expect((await client.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
    const { error } = await auth.client().auth.signInWithPassword({
      ...account,
      password: "set by the operator",
    });
    expect(error).toBeNull();
  });

  test("changing an unknown account gets 404", async () => {
    expect((await admin().updateUserById(randomUUID(), { password: "whatever" })).error?.status).toBe(404);
  });
});

describe("deleting an account with the service key", () => {
  test("deleting an account deletes its profile, article, session and tokens, and calls onWrite once", async () => {
    const account = await auth.member();
    const client = auth.client();
    await client.auth.signInWithPassword(account);
    const article = { author_id: account.id, title: "Mine", content: "text", published: true };
    expect((await client.from("articles").insert(article)).error).toBeNull();
    await admin().generateLink({ type: "recovery", email: account.email });
    auth.onWrite.mockClear();
    expect((await admin().deleteUser(account.id)).error).toBeNull();
    expect(auth.onWrite).toHaveBeenCalledOnce();
    const remaining = await auth.admin.query(
      `select 1 from public.articles where author_id = $1 union all
       select 1 from public.profiles where id = $1 union all
       select 1 from auth.sessions where user_id = $1 union all
       select 1 from auth.refresh_tokens where user_id = $1::text union all
       select 1 from auth.one_time_tokens where user_id = $1 union all
       select 1 from auth.identities where user_id = $1`,
      [account.id],
    );
    expect(remaining.rowCount).toBe(0);
    expect((await admin().deleteUser(account.id)).error).toMatchObject({ code: "user_not_found" });
  });

  test("soft deletion of an account is rejected", async () => {
    const { error } = await admin().deleteUser(member.id, true);
    expect(error?.code).toBe("validation_failed");
    expect((await admin().getUserById(member.id)).error).toBeNull();
  });
});

test("the log records writes with the service key, but neither reads nor members' text", async () => {
  const account = await auth.member();
  auth.lines.length = 0;
  await admin().listUsers();
  await admin().updateUserById(account.id, { ban_duration: "1h" });
  await auth.service.from("articles").select("id");
  await auth.service.from("articles").delete().eq("id", account.id);
  await auth.service.from("articles").delete().eq("title", "Words of a member");
  const logged = auth.lines
    .map((line) => JSON.parse(line))
    .filter(({ event }) => event === "service_key.used");
  expect(logged).toMatchObject([
    { method: "PUT", path: `/auth/v1/admin/users/${account.id}` },
    { method: "DELETE", path: "/rest/v1/articles", row: account.id },
    { method: "DELETE", path: "/rest/v1/articles" },
  ]);
  expect(JSON.stringify(logged)).not.toContain("Words");
});

describe("admin endpoints without the service key", () => {
  const endpoints: [method: string, path: string, body?: object][] = [
    ["GET", "admin/users"],
    ["POST", "admin/users", { email: "intruder@example.com", password: "let me in", email_confirm: true }],
    ["GET", "admin/users/ID"],
    ["PUT", "admin/users/ID", { password: "let me in" }],
    ["DELETE", "admin/users/ID"],
    ["POST", "admin/generate_link", { type: "recovery", email: "EMAIL" }],
    ["POST", "invite", { email: "intruder@example.com" }],
  ];

  test.each(endpoints)("%s %s gets 403 without the service key", async (method, path, body) => {
    const { data } = await auth.client().auth.signInWithPassword(member);
    const request = (authorization: string | undefined) =>
      auth.request(path.replace("ID", member.id), {
        method,
        ...(body && { body: JSON.stringify(body).replace("EMAIL", member.email) }),
        headers: authorization === undefined ? {} : { authorization },
      });
    const responses = [
      await request(undefined),
      await request(`Bearer ${auth.keys.anonKey}`),
      await request(`Bearer ${data.session?.access_token}`),
      await request(`Basic ${Buffer.from(`service_role:${auth.keys.serviceKey}`).toString("base64")}`),
      await request("Bearer "),
    ];
    expect(responses.map((response) => response.status)).toEqual([403, 403, 403, 403, 403]);
    expect((await admin().getUserById(member.id)).error).toBeNull();
    expect((await auth.client().auth.signInWithPassword(member)).error).toBeNull();
  });
});

test("an account can be deleted without a request body", async () => {
  const account = await auth.member();
  const response = await auth.request(`admin/users/${account.id}`, {
    method: "DELETE",
    headers: { apikey: auth.keys.serviceKey, authorization: `Bearer ${auth.keys.serviceKey}` },
  });
  expect(response.status).toBe(200);
  expect((await admin().getUserById(account.id)).error?.status).toBe(404);
});
