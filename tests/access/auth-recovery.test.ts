import { afterAll, describe, expect, test } from "vitest";
import { createStorage, SITE, startTestAuth } from "../support/auth.ts";
import { generateLink, linkMailedTo, linkParameters } from "../support/auth-links.ts";

const hour = 3_600_000;
const profile = `${SITE}/profile`;

const auth = await startTestAuth({ redirectUrls: ["https://app.example/welcome"] });
const member = await auth.member();
afterAll(() => auth.stop());

function recover(email: string, body: object = {}, query = ""): Promise<Response> {
  return auth.post(`recover${query}`, { email, ...body });
}

const verifier = "v".repeat(50);
const challenge = { code_challenge: verifier, code_challenge_method: "plain" };

/** Requests a recovery with the challenge for `verifier`, and returns the mailed code. */
async function mailedCode(email: string): Promise<string> {
  await recover(email, challenge);
  return linkParameters(await linkMailedTo(auth, email)).code;
}

function exchange(auth_code: string, code_verifier = verifier): Promise<Response> {
  return auth.post("token?grant_type=pkce", { auth_code, code_verifier });
}

test("emails about recovery and invitations have the operator's own texts, and their links work", async () => {
  const text = "{{ .SiteName }} for {{ .Email }}: {{ .ConfirmationURL }}";
  const own = await startTestAuth({ mailTemplates: { recovery: { text }, invite: { text } } }, auth);
  const { email } = await own.member();
  const invited = "own-texts@example.com";
  await own.post("recover", { email });
  expect((await own.service.auth.admin.inviteUserByEmail(invited)).error).toBeNull();
  await expect.poll(() => own.mails).toHaveLength(2);
  for (const [recipient, type] of [
    [email, "recovery"],
    [invited, "invite"],
  ]) {
    const mailed = own.mails.find(({ to }) => to === recipient)?.text ?? "";
    const start = `Techfolio for ${recipient}: `;
    expect(mailed.slice(0, start.length)).toBe(start);
    const { token_hash } = linkParameters(new URL(mailed.slice(start.length)));
    expect((await own.post("verify", { type, token_hash })).status).toBe(200);
  }
});

describe("recovery with PKCE", () => {
  test("a mailed link signs in the browser that requested it, which can then set a new password", async () => {
    const account = await auth.member();
    const storage = createStorage();
    const client = auth.client({ storage });
    const events: string[] = [];
    client.auth.onAuthStateChange((event) => void events.push(event));
    const result = await client.auth.resetPasswordForEmail(account.email.toUpperCase(), {
      redirectTo: `${profile}?from=mail`,
    });
    expect(result).toEqual({ data: {}, error: null });

    const link = await linkMailedTo(auth, account.email);
    const { code } = linkParameters(link);
    expect(link.href).toBe(`${profile}?from=mail&code=${code}`);
    const { data, error } = await client.auth.exchangeCodeForSession(code);
    expect(error).toBeNull();
    expect(data.user?.id).toBe(account.id);
    expect(events).toContain("PASSWORD_RECOVERY");

    const password = "quite another password";
    expect((await client.auth.updateUser({ password })).error).toBeNull();
    expect((await auth.client().auth.signInWithPassword({ ...account, password })).error).toBeNull();
    expect((await auth.client().auth.signInWithPassword(account)).error?.code).toBe("invalid_credentials");
  });

  test("a mailed code works once, and a wrong verifier does not use it up", async () => {
    const code = await mailedCode(member.email);
    const wrong = await exchange(code, "w".repeat(50));
    expect(wrong.status).toBe(400);
    expect(await wrong.json()).toMatchObject({ error_code: "bad_code_verifier" });
    expect((await exchange(code)).status).toBe(200);
    const again = await exchange(code);
    expect(again.status).toBe(404);
    expect(await again.json()).toMatchObject({ error_code: "flow_state_not_found" });
  });

  test("only one of ten simultaneous exchanges of a mailed code succeeds", async () => {
    const code = await mailedCode(member.email);
    const tries = await Promise.all(Array.from({ length: 10 }, () => exchange(code)));
    expect(tries.map((response) => response.status).sort()).toEqual([200, ...Array(9).fill(404)]);
  });

  test.each([
    [hour - 1000, 200],
    [hour + 1000, 422],
  ])("exchanging a mailed code after %i ms gets status %i", async (after, status) => {
    const code = await mailedCode(member.email);
    await auth.advance(after);
    const response = await exchange(code);
    expect(response.status).toBe(status);
    if (status === 422) expect(await response.json()).toMatchObject({ error_code: "flow_state_expired" });
  });

  test("a mailed code does not work as a token or without a verifier, and a mailed token does not work as a code", async () => {
    const code = await mailedCode(member.email);
    for (const type of ["recovery", "invite"]) {
      expect((await auth.post("verify", { type, token_hash: code })).status).toBe(403);
    }
    expect((await exchange(code, "")).status).toBe(400);
    expect((await exchange(code)).status).toBe(200);
    const { properties } = await generateLink(auth, "recovery", member.email);
    expect((await exchange(properties.hashed_token)).status).toBe(404);
  });

  test("an attacker's recovery request leaves the owner's earlier link valid, and the attacker's code fails with another verifier", async () => {
    const account = await auth.member();
    const owner = auth.client();
    await owner.auth.resetPasswordForEmail(account.email);
    const first = linkParameters(await linkMailedTo(auth, account.email));
    const attacker = auth.client();
    await attacker.auth.resetPasswordForEmail(account.email);
    const second = linkParameters(await linkMailedTo(auth, account.email));
    expect((await exchange(second.code)).status).toBe(400);
    expect((await owner.auth.exchangeCodeForSession(first.code)).error).toBeNull();
  });

  test("after 20 recovery requests for an account from four IP addresses, its owner still gets a working link from another address", async () => {
    const account = await auth.member();
    const flood = ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"];
    for (let count = 0; count < 20; count += 1) {
      await auth.post("recover", { email: account.email, ...challenge }, {}, flood[count % 4]);
    }
    const countMails = () => auth.mails.filter((mail) => mail.to === account.email).length;
    await expect.poll(countMails).toBe(20);
    auth.mails.length = 0;
    const owner = auth.client();
    await owner.auth.resetPasswordForEmail(account.email);
    const { token_hash } = linkParameters(await linkMailedTo(auth, account.email));
    const { data } = await owner.auth.verifyOtp({ type: "recovery", token_hash });
    expect(data.user?.id).toBe(account.id);
  });

  test("a link with a code stops working when the account gets a new password or email address, or is deleted", async () => {
    const account = await auth.member();
    const { admin } = auth.service.auth;
    const expectEnded = async (change: () => Promise<unknown>, email = account.email) => {
      const code = await mailedCode(email);
      await change();
      expect((await exchange(code)).status).toBe(404);
    };
    await expectEnded(() => admin.updateUserById(account.id, { password: "another one" }));
    const email = `new-${account.email}`;
    await expectEnded(() => admin.updateUserById(account.id, { email }));
    await expectEnded(() => admin.deleteUser(account.id), email);
  });

  test("a banned member's code is rejected, but works once the ban is lifted", async () => {
    const account = await auth.member();
    const code = await mailedCode(account.email);
    await auth.service.auth.admin.updateUserById(account.id, { ban_duration: "1h" });
    const response = await exchange(code);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error_code: "user_banned" });
    await auth.service.auth.admin.updateUserById(account.id, { ban_duration: "none" });
    expect((await exchange(code)).status).toBe(200);
  });

  test("redeeming a mailed code confirms the account's email address", async () => {
    const email = "unconfirmed@example.com";
    await auth.service.auth.admin.createUser({ email, password: "some password" });
    expect((await exchange(await mailedCode(email))).status).toBe(200);
    const { error } = await auth.client().auth.signInWithPassword({ email, password: "some password" });
    expect(error).toBeNull();
  });

  test.each([
    [{ code_challenge: "x".repeat(43) }],
    [{ code_challenge_method: "s256" }],
    [{ code_challenge: "short", code_challenge_method: "s256" }],
    [{ code_challenge: "x".repeat(43), code_challenge_method: "md5" }],
  ])("a recovery request with the challenge %j is rejected", async (challenge) => {
    expect((await recover(member.email, challenge)).status).toBe(400);
  });
});

test.each([
  ["token", {}, "auth.one_time_tokens"],
  ["code", challenge, "auth.flow_state"],
])("the %s in a recovery link has 256 bits and is stored only as a digest", async (_name, body, table) => {
  await recover(member.email, body);
  const { code, token_hash } = linkParameters(await linkMailedTo(auth, member.email));
  const token = code || token_hash;
  expect(Buffer.from(token, "base64url")).toHaveLength(32);
  const { rows } = await auth.admin.query(
    `select row_to_json(t)::text || row_to_json(u)::text as all from ${table} t join auth.users u on u.id = t.user_id where u.id = $1`,
    [member.id],
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain(token);
});

describe("password recovery without PKCE", () => {
  test("recovery requests for known and unknown email addresses get the same response, but only known ones get an email", async () => {
    const known = await recover(member.email);
    const unknown = await recover("nobody@example.com");
    expect(known.status).toBe(unknown.status);
    expect([...known.headers]).toEqual([...unknown.headers]);
    expect(await known.text()).toBe(await unknown.text());
    await linkMailedTo(auth, member.email);
    expect(auth.mails.filter((mail) => mail.to === "nobody@example.com")).toEqual([]);
  });

  test("a client without PKCE gets a link with a token that works once", async () => {
    const client = auth.client({ flowType: "implicit" });
    await client.auth.resetPasswordForEmail(member.email, { redirectTo: `${profile}?from=mail` });
    const link = await linkMailedTo(auth, member.email);
    const { token_hash } = linkParameters(link);
    expect(link.href).toBe(`${profile}?from=mail&token_hash=${token_hash}&type=recovery`);
    const { data, error } = await client.auth.verifyOtp({
      type: "recovery",
      token_hash,
    });
    expect(error).toBeNull();
    expect(data.user?.id).toBe(member.id);
    const again = await client.auth.verifyOtp({ type: "recovery", token_hash });
    expect(again.error).toMatchObject({ status: 403, code: "otp_expired" });
  });

  test("only one of ten simultaneous redemptions of a link succeeds", async () => {
    const { properties } = await generateLink(auth, "recovery", member.email);
    const tries = await Promise.all(
      Array.from({ length: 10 }, () =>
        auth.post("verify", { type: "recovery", token_hash: properties.hashed_token }),
      ),
    );
    expect(tries.map((response) => response.status).sort()).toEqual([200, ...Array(9).fill(403)]);
  });

  test.each([
    [hour - 1000, 200],
    [hour + 1000, 403],
  ])("redeeming a mailed token after %i ms gets status %i", async (after, status) => {
    await recover(member.email);
    const { token_hash } = linkParameters(await linkMailedTo(auth, member.email));
    await auth.advance(after);
    expect((await auth.post("verify", { type: "recovery", token_hash })).status).toBe(status);
  });

  test("a later recovery request neither ends nor extends the validity of an earlier link", async () => {
    const verify = async (token_hash: string) =>
      (await auth.post("verify/preview", { type: "recovery", token_hash })).status;
    const { properties: first } = await generateLink(auth, "recovery", member.email);
    await auth.advance(hour / 2);
    const { properties: second } = await generateLink(auth, "recovery", member.email);
    await auth.advance(hour / 2 - 60_000);
    expect([await verify(first.hashed_token), await verify(second.hashed_token)]).toEqual([200, 200]);
    await auth.advance(2 * 60_000);
    expect([await verify(first.hashed_token), await verify(second.hashed_token)]).toEqual([403, 200]);
  });

  test("redeeming one of an account's recovery links makes the others unusable", async () => {
    const account = await auth.member();
    const { properties: first } = await generateLink(auth, "recovery", account.email);
    const { properties: second } = await generateLink(auth, "recovery", account.email);
    const verify = async (token_hash: string) =>
      (await auth.post("verify", { type: "recovery", token_hash })).status;
    expect([await verify(first.hashed_token), await verify(second.hashed_token)]).toEqual([200, 403]);
  });

  test("a recovery token stops working when the account gets a new password or email address", async () => {
    const account = await auth.member();
    const expectEnded = async (change: () => Promise<unknown>) => {
      const { properties } = await generateLink(auth, "recovery", account.email);
      await change();
      const response = await auth.post("verify", {
        type: "recovery",
        token_hash: properties.hashed_token,
      });
      expect(response.status).toBe(403);
    };
    await expectEnded(() => auth.service.auth.admin.updateUserById(account.id, { password: "another one" }));
    const email = `new-${account.email}`;
    await expectEnded(() => auth.service.auth.admin.updateUserById(account.id, { email }));
  });

  test("a GET request does not redeem a link", async () => {
    const { properties } = await generateLink(auth, "recovery", member.email);
    const token = properties.hashed_token;
    const response = await auth.request(`verify?type=recovery&token=${token}`);
    expect(response.status).toBe(404);
    expect((await auth.post("verify", { type: "recovery", token_hash: token })).status).toBe(200);
  });

  test("redeeming a mailed token confirms the account's email address", async () => {
    const email = "unconfirmed-too@example.com";
    await auth.service.auth.admin.createUser({ email, password: "some password" });
    const { properties } = await generateLink(auth, "recovery", email);
    await auth.post("verify", {
      type: "recovery",
      token_hash: properties.hashed_token,
    });
    const { error } = await auth.client().auth.signInWithPassword({ email, password: "some password" });
    expect(error).toBeNull();
  });
});

describe("the redirect of a mailed link", () => {
  const misleadingHeaders = {
    host: "evil.example",
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "gopher",
    forwarded: "host=evil.example",
    "x-original-host": "evil.example",
    origin: "https://evil.example",
    referer: "https://evil.example/",
  };

  test("request headers do not change where a mailed link leads", async () => {
    await auth.post("recover", { email: member.email }, misleadingHeaders);
    const link = await linkMailedTo(auth, member.email);
    expect(link.href).not.toContain("evil");
    expect(link.origin + link.pathname).toBe(profile);
  });

  test.each([
    ["https://app.example/welcome", "https://app.example/welcome"],
    ["https://evil.example/", profile],
    ["//evil.example/", profile],
    [`${SITE}@evil.example/`, profile],
    ["javascript:alert(1)", profile],
  ])("a recovery link with the requested redirect %s leads to %s", async (requested, expected) => {
    const query = `?redirect_to=${encodeURIComponent(requested)}`;
    await recover(member.email, {}, query);
    const link = await linkMailedTo(auth, member.email);
    expect(link.origin + link.pathname).toBe(expected);
  });
});

describe("a failure to send an email", () => {
  test("a recovery email that cannot be sent does not change the response, and the log contains the reason but not the recipient", async () => {
    const { push } = auth.mails;
    auth.mails.push = () => {
      throw Object.assign(new Error(`550 no such user ${member.email}`), { code: "EENVELOPE" });
    };
    try {
      const before = auth.lines.length;
      expect((await recover(member.email)).status).toBe(200);
      const lines = () => auth.lines.slice(before).join("");
      await expect.poll(lines).toContain("mail.failed");
      expect(lines()).toContain('"reason":"EENVELOPE"');
      expect(lines()).not.toContain(member.email);
    } finally {
      auth.mails.push = push;
    }
  });
});
