import { afterAll, describe, expect, test } from "vitest";
import { createStorage, SITE, startTestAuth } from "../support/auth.ts";

const hour = 3_600_000;
const profile = `${SITE}/profile`;

const auth = await startTestAuth({ redirectUrls: ["https://app.example/welcome"] });
const member = await auth.member();
afterAll(() => auth.stop());

async function linkTo(email: string): Promise<URL> {
  const find = () => auth.mails.findIndex((mail) => mail.to === email);
  await expect.poll(find).toBeGreaterThanOrEqual(0);
  const [mail] = auth.mails.splice(find(), 1);
  return new URL(/https?:\S+/.exec(mail?.text ?? "")?.[0] ?? "");
}

async function open(link: URL): Promise<URL> {
  expect(link.origin).toBe(SITE);
  const answer = await auth.request(`${link.pathname.replace("/auth/v1/", "")}${link.search}`);
  expect(answer.status).toBe(303);
  return new URL(answer.headers.get("location") ?? "");
}

async function recover(email: string, body: object = {}, query = ""): Promise<Response> {
  return auth.post(`recover${query}`, { email, ...body });
}

async function generate(type: "recovery" | "invite", email: string) {
  const { data, error } = await auth.service.auth.admin.generateLink({ type, email });
  if (error) throw error;
  return data;
}

describe("recovery with PKCE", () => {
  test("leads through the mail to a session in the browser that asked, and a new password", async () => {
    const account = await auth.member();
    const storage = createStorage();
    const client = auth.client({ storage });
    const events: string[] = [];
    client.auth.onAuthStateChange((event) => void events.push(event));
    const asked = await client.auth.resetPasswordForEmail(account.email.toUpperCase(), {
      redirectTo: profile,
    });
    expect(asked).toEqual({ data: {}, error: null });

    const target = await open(await linkTo(account.email));
    expect(target.origin + target.pathname).toBe(profile);
    expect(target.hash).toBe("");
    const { data, error } = await client.auth.exchangeCodeForSession(target.searchParams.get("code") ?? "");
    expect(error).toBeNull();
    expect(data.user?.id).toBe(account.id);
    expect(events).toContain("PASSWORD_RECOVERY");

    const password = "quite another password";
    expect((await client.auth.updateUser({ password })).error).toBeNull();
    expect((await auth.client().auth.signInWithPassword({ ...account, password })).error).toBeNull();
    expect((await auth.client().auth.signInWithPassword(account)).error?.code).toBe("invalid_credentials");
  });

  test("takes the plain method as well", async () => {
    const verifier = "v".repeat(50);
    await recover(member.email, { code_challenge: verifier, code_challenge_method: "plain" });
    const target = await open(await linkTo(member.email));
    const code = target.searchParams.get("code");
    const exchange = (code_verifier: string) =>
      auth.post("token?grant_type=pkce", { auth_code: code, code_verifier });
    const wrong = await exchange("w".repeat(50));
    expect(wrong.status).toBe(400);
    expect(await wrong.json()).toMatchObject({ error_code: "bad_code_verifier" });
    expect((await exchange(verifier)).status).toBe(200);
    const again = await exchange(verifier);
    expect(again.status).toBe(404);
    expect(await again.json()).toMatchObject({ error_code: "flow_state_not_found" });
  });

  test("gives a code that lasts five minutes", async () => {
    const verifier = "v".repeat(50);
    const challenge = { code_challenge: verifier, code_challenge_method: "plain" };
    await recover(member.email, challenge);
    const target = await open(await linkTo(member.email));
    auth.advance(301_000);
    const answer = await auth.post("token?grant_type=pkce", {
      auth_code: target.searchParams.get("code"),
      code_verifier: verifier,
    });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ error_code: "flow_state_expired" });
  });

  test("gives the code of a link to its own challenger, whoever asks meanwhile", async () => {
    const account = await auth.member();
    const owner = auth.client();
    await owner.auth.resetPasswordForEmail(account.email);
    const first = await linkTo(account.email);
    const attacker = auth.client();
    await attacker.auth.resetPasswordForEmail(account.email);
    const second = await linkTo(account.email);
    expect((await open(first)).searchParams.get("error_code")).toBe("otp_expired");
    const code = (await open(second)).searchParams.get("code") ?? "";
    expect((await owner.auth.exchangeCodeForSession(code)).error?.code).toBe("bad_code_verifier");
  });

  test.each([
    [{ code_challenge: "x".repeat(43) }],
    [{ code_challenge_method: "s256" }],
    [{ code_challenge: "short", code_challenge_method: "s256" }],
    [{ code_challenge: "x".repeat(43), code_challenge_method: "md5" }],
  ])("refuses the challenge %j", async (challenge) => {
    expect((await recover(member.email, challenge)).status).toBe(400);
  });
});

describe("recovery", () => {
  test("answers the same for known and unknown addresses, and sends nothing to the latter", async () => {
    const known = await recover(member.email);
    const unknown = await recover("nobody@example.com");
    expect(known.status).toBe(unknown.status);
    expect([...known.headers]).toEqual([...unknown.headers]);
    expect(await known.text()).toBe(await unknown.text());
    await linkTo(member.email);
    expect(auth.mails.filter((mail) => mail.to === "nobody@example.com")).toEqual([]);
  });

  test("has tokens of 256 bits that are stored as digests only", async () => {
    await recover(member.email);
    const token = (await linkTo(member.email)).searchParams.get("token") ?? "";
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
    const { rows } = await auth.admin.query(
      "select row_to_json(t)::text || row_to_json(u)::text as all from auth.one_time_tokens t join auth.users u on u.id = t.user_id where u.id = $1",
      [member.id],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0].all).not.toContain(token);
  });

  test("leads a client without PKCE to a session behind the #", async () => {
    const client = auth.client({ flowType: "implicit" });
    await client.auth.resetPasswordForEmail(member.email, { redirectTo: `${profile}?from=mail` });
    const target = await open(await linkTo(member.email));
    expect(target.origin + target.pathname + target.search).toBe(`${profile}?from=mail`);
    const session = Object.fromEntries(new URLSearchParams(target.hash.slice(1)));
    expect(session).toMatchObject({ token_type: "bearer", expires_in: "28800", type: "recovery" });
    const { data, error } = await client.auth.setSession({
      access_token: session["access_token"] ?? "",
      refresh_token: session["refresh_token"] ?? "",
    });
    expect(error).toBeNull();
    expect(data.user?.id).toBe(member.id);
  });

  test("works once", async () => {
    await recover(member.email);
    const link = await linkTo(member.email);
    expect((await open(link)).hash).toContain("access_token=");
    const again = await open(link);
    expect(again.hash).not.toContain("access_token");
    expect(Object.fromEntries(new URLSearchParams(again.hash.slice(1)))).toMatchObject({
      error: "access_denied",
      error_code: "otp_expired",
    });
  });

  test("works once, of many tries at once", async () => {
    const { properties } = await generate("recovery", member.email);
    const tries = await Promise.all(
      Array.from({ length: 10 }, () =>
        auth.post("verify", { type: "recovery", token_hash: properties.hashed_token }),
      ),
    );
    expect(tries.map((answer) => answer.status).sort()).toEqual([200, ...Array(9).fill(403)]);
  });

  test.each([
    [hour - 1000, true],
    [hour + 1000, false],
  ])("after %i ms works: %s", async (after, works) => {
    await recover(member.email);
    const link = await linkTo(member.email);
    auth.advance(after);
    expect((await open(link)).hash.includes("access_token=")).toBe(works);
  });

  test("dies with a newer one, with a new password and with a new e-mail", async () => {
    const account = await auth.member();
    const dies = async (how: () => Promise<unknown>) => {
      const { properties } = await generate("recovery", account.email);
      await how();
      const answer = await auth.post("verify", { type: "recovery", token_hash: properties.hashed_token });
      expect(answer.status).toBe(403);
    };
    await dies(() => generate("recovery", account.email));
    await dies(() => auth.service.auth.admin.updateUserById(account.id, { password: "another one" }));
    const email = `new-${account.email}`;
    await dies(() => auth.service.auth.admin.updateUserById(account.id, { email }));
  });

  test("is not used up by a program that looks at the link first", async () => {
    await recover(member.email);
    const link = await linkTo(member.email);
    const peek = await auth.request(`verify${link.search}`, { method: "HEAD" });
    expect(peek.status).toBe(204);
    expect((await open(link)).hash).toContain("access_token=");
  });

  test("confirms an e-mail that was not", async () => {
    const email = "unconfirmed@example.com";
    await auth.service.auth.admin.createUser({ email, password: "some password" });
    await recover(email);
    await open(await linkTo(email));
    const { error } = await auth.client().auth.signInWithPassword({ email, password: "some password" });
    expect(error).toBeNull();
  });
});

describe("where links lead", () => {
  const steer = {
    host: "evil.example",
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "gopher",
    forwarded: "host=evil.example",
    "x-original-host": "evil.example",
    origin: "https://evil.example",
    referer: "https://evil.example/",
  };

  test("is not for the request's headers to say", async () => {
    await auth.post("recover", { email: member.email }, steer);
    const link = await linkTo(member.email);
    expect(link.href).not.toContain("evil");
    expect(link.href.startsWith(`${SITE}/auth/v1/verify?`)).toBe(true);
    const answer = await auth.request(`verify${link.search}`, { headers: steer });
    expect(answer.headers.get("location")?.startsWith(`${profile}#`)).toBe(true);
  });

  test.each([
    ["https://app.example/welcome", "https://app.example/welcome"],
    ["https://evil.example/", profile],
    ["//evil.example/", profile],
    [`${SITE}@evil.example/`, profile],
    ["javascript:alert(1)", profile],
  ])("asked for %s is %s", async (asked, expected) => {
    const query = `?redirect_to=${encodeURIComponent(asked)}`;
    await recover(member.email, {}, query);
    const link = await linkTo(member.email);
    expect(link.searchParams.get("redirect_to")).toBe(expected);
    // Nor does an edited link lead elsewhere.
    link.searchParams.set("redirect_to", asked);
    const target = await open(link);
    expect(target.origin + target.pathname).toBe(expected);
  });
});

describe("verifyOtp", () => {
  test("signs in by the token of a recovery, and says so", async () => {
    const { properties } = await generate("recovery", member.email);
    const client = auth.client();
    const events: string[] = [];
    client.auth.onAuthStateChange((event) => void events.push(event));
    const { data, error } = await client.auth.verifyOtp({
      type: "recovery",
      token_hash: properties.hashed_token,
    });
    expect(error).toBeNull();
    expect(data.user?.id).toBe(member.id);
    expect(events).toContain("PASSWORD_RECOVERY");
  });

  test("takes e-mail and token, if they belong together", async () => {
    const other = await auth.member();
    const { properties } = await generate("recovery", member.email);
    const token = properties.email_otp;
    const stranger = await auth.client().auth.verifyOtp({ type: "recovery", email: other.email, token });
    expect(stranger.error?.code).toBe("otp_expired");
    const { data } = await auth.client().auth.verifyOtp({ type: "recovery", email: member.email, token });
    expect(data.user?.id).toBe(member.id);
  });

  test("refuses the token of a recovery as one of an invitation", async () => {
    const { properties } = await generate("recovery", member.email);
    const verify = (type: string) => auth.post("verify", { type, token_hash: properties.hashed_token });
    const answer = await verify("invite");
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ error_code: "otp_expired" });
    expect((await verify("recovery")).status).toBe(200);
  });

  test.each(["magiclink", "signup", "email", "email_change"])(
    "knows no links of the kind %s",
    async (type) => {
      const { properties } = await generate("recovery", member.email);
      const answer = await auth.post("verify", { type, token_hash: properties.hashed_token });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ error_code: "validation_failed" });
    },
  );

  test("refuses a banned member's", async () => {
    const account = await auth.member();
    const { properties } = await generate("recovery", account.email);
    await auth.service.auth.admin.updateUserById(account.id, { ban_duration: "1h" });
    const answer = await auth.post("verify", { type: "recovery", token_hash: properties.hashed_token });
    expect(await answer.json()).toMatchObject({ error_code: "user_banned" });
  });
});

describe("an invitation", () => {
  test("makes an account without a password and mails the link to its owner, who sets one", async () => {
    const email = "invited@example.com";
    const { data, error } = await auth.service.auth.admin.inviteUserByEmail(email, {
      data: { team: "data" },
      redirectTo: profile,
    });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email, user_metadata: { team: "data" } });
    expect(data.user?.invited_at).toBeDefined();
    expect(data.user?.email_confirmed_at).toBeUndefined();

    const link = await linkTo(email);
    expect(link.origin + link.pathname).toBe(profile);
    const client = auth.client();
    const verified = await client.auth.verifyOtp({
      type: link.searchParams.get("type") as "invite",
      token_hash: link.searchParams.get("token_hash") ?? "",
    });
    expect(verified.error).toBeNull();
    expect(verified.data.user?.email_confirmed_at).toBeDefined();
    expect((await client.auth.updateUser({ password: "my own password" })).error).toBeNull();
    const signedIn = await auth.client().auth.signInWithPassword({ email, password: "my own password" });
    expect(signedIn.data.user?.id).toBe(data.user?.id);
  });

  test("can be repeated until it is taken up, lasts a week, and is refused for a member", async () => {
    const email = "patient@example.com";
    const first = await generate("invite", email);
    const second = await generate("invite", email);
    expect(second.user?.id).toBe(first.user?.id);
    const verify = (token_hash: string) => auth.post("verify", { type: "invite", token_hash });
    expect((await verify(first.properties.hashed_token)).status).toBe(403);
    auth.advance(7 * 24 * hour - 60_000);
    expect((await verify(second.properties.hashed_token)).status).toBe(200);
    const third = await auth.service.auth.admin.inviteUserByEmail(email);
    expect(third.error?.code).toBe("email_exists");
  });

  test("is over after a week", async () => {
    const { properties } = await generate("invite", "late@example.com");
    auth.advance(7 * 24 * hour + 60_000);
    const answer = await auth.post("verify", { type: "invite", token_hash: properties.hashed_token });
    expect(answer.status).toBe(403);
  });
});

describe("generateLink", () => {
  test("gives what a mail would carry", async () => {
    const { data, error } = await auth.service.auth.admin.generateLink({
      type: "recovery",
      email: member.email,
      options: { redirectTo: `${SITE}/articles` },
    });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ id: member.id, email: member.email });
    expect(data.properties).toMatchObject({ verification_type: "recovery", redirect_to: `${SITE}/articles` });
    const target = await open(new URL(data.properties?.action_link ?? ""));
    expect(target.origin + target.pathname).toBe(`${SITE}/articles`);
    expect(target.hash).toContain("access_token=");
  });

  test.each(["signup", "magiclink"] as const)("makes no link of the kind %s", async (type) => {
    const email = "nobody@example.com";
    const { error } = await auth.service.auth.admin.generateLink({ type, email, password: "chosen for me" });
    expect(error).toMatchObject({ status: 400, code: "validation_failed" });
  });

  test("knows no unknown account to recover", async () => {
    const { error } = await auth.service.auth.admin.generateLink({
      type: "recovery",
      email: "nobody@example.com",
    });
    expect(error).toMatchObject({ status: 404, code: "user_not_found" });
  });
});

describe("a mail that cannot be sent", () => {
  test("leaves the answer as it is, and says so in the log without the address", async () => {
    const { push } = auth.mails;
    auth.mails.push = () => {
      throw new Error(`550 no such user ${member.email}`);
    };
    try {
      const before = auth.lines.length;
      expect((await recover(member.email)).status).toBe(200);
      const lines = () => auth.lines.slice(before).join("");
      await expect.poll(lines).toContain("mail.failed");
      expect(lines()).not.toContain(member.email);
    } finally {
      auth.mails.push = push;
    }
  });
});
