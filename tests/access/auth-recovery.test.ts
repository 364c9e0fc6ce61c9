import { afterAll, describe, expect, test } from "vitest";
import { createStorage, SITE, startTestAuth } from "../support/auth.ts";
import { generateLink, linkMailedTo, openLink } from "../support/auth-links.ts";

const hour = 3_600_000;
const profile = `${SITE}/profile`;

const auth = await startTestAuth({ redirectUrls: ["https://app.example/welcome"] });
const member = await auth.member();
afterAll(() => auth.stop());

function recover(email: string, body: object = {}, query = ""): Promise<Response> {
  return auth.post(`recover${query}`, { email, ...body });
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

    const target = await openLink(auth, await linkMailedTo(auth, account.email));
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
    const target = await openLink(auth, await linkMailedTo(auth, member.email));
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
    const target = await openLink(auth, await linkMailedTo(auth, member.email));
    await auth.advance(301_000);
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
    const first = await linkMailedTo(auth, account.email);
    const attacker = auth.client();
    await attacker.auth.resetPasswordForEmail(account.email);
    const second = await linkMailedTo(auth, account.email);
    expect((await openLink(auth, first)).searchParams.get("error_code")).toBe("otp_expired");
    const code = (await openLink(auth, second)).searchParams.get("code") ?? "";
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
    await linkMailedTo(auth, member.email);
    expect(auth.mails.filter((mail) => mail.to === "nobody@example.com")).toEqual([]);
  });

  test("has tokens of 256 bits that are stored as digests only", async () => {
    await recover(member.email);
    const token = (await linkMailedTo(auth, member.email)).searchParams.get("token") ?? "";
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
    const target = await openLink(auth, await linkMailedTo(auth, member.email));
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
    const link = await linkMailedTo(auth, member.email);
    expect((await openLink(auth, link)).hash).toContain("access_token=");
    const again = await openLink(auth, link);
    expect(again.hash).not.toContain("access_token");
    expect(Object.fromEntries(new URLSearchParams(again.hash.slice(1)))).toMatchObject({
      error: "access_denied",
      error_code: "otp_expired",
    });
  });

  test("works once, of many tries at once", async () => {
    const { properties } = await generateLink(auth, "recovery", member.email);
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
    const link = await linkMailedTo(auth, member.email);
    await auth.advance(after);
    expect((await openLink(auth, link)).hash.includes("access_token=")).toBe(works);
  });

  test("dies with a newer one, with a new password and with a new e-mail", async () => {
    const account = await auth.member();
    const dies = async (how: () => Promise<unknown>) => {
      const { properties } = await generateLink(auth, "recovery", account.email);
      await how();
      const answer = await auth.post("verify", { type: "recovery", token_hash: properties.hashed_token });
      expect(answer.status).toBe(403);
    };
    await dies(() => generateLink(auth, "recovery", account.email));
    await dies(() => auth.service.auth.admin.updateUserById(account.id, { password: "another one" }));
    const email = `new-${account.email}`;
    await dies(() => auth.service.auth.admin.updateUserById(account.id, { email }));
  });

  test("is not used up by a program that looks at the link first", async () => {
    await recover(member.email);
    const link = await linkMailedTo(auth, member.email);
    const peek = await auth.request(`verify${link.search}`, { method: "HEAD" });
    expect(peek.status).toBe(204);
    expect((await openLink(auth, link)).hash).toContain("access_token=");
  });

  test("confirms an e-mail that was not", async () => {
    const email = "unconfirmed@example.com";
    await auth.service.auth.admin.createUser({ email, password: "some password" });
    await recover(email);
    await openLink(auth, await linkMailedTo(auth, email));
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
    const link = await linkMailedTo(auth, member.email);
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
    const link = await linkMailedTo(auth, member.email);
    expect(link.searchParams.get("redirect_to")).toBe(expected);
    // Nor does an edited link lead elsewhere.
    link.searchParams.set("redirect_to", asked);
    const target = await openLink(auth, link);
    expect(target.origin + target.pathname).toBe(expected);
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
