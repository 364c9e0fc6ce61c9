import { generateKeyPairSync, randomUUID } from "node:crypto";
import type { Session, SupabaseClient } from "@supabase/supabase-js";
import { afterAll, describe, expect, test, vi } from "vitest";
import { newAddress, SITE, startTestAuth, type TestAuth } from "../support/auth.ts";
import {
  createAuthenticator,
  type Lies,
  registerPasskey,
  type SignInLies,
  type SoftwareAuthenticator,
  signInWithPasskey,
} from "../support/authenticator.ts";

const auth = await startTestAuth();
afterAll(() => auth.stop());

interface Registrant {
  id: string;
  email: string;
  password: string;
  client: SupabaseClient;
  session: Session;
}

async function signedInMember(site: TestAuth = auth): Promise<Registrant> {
  const member = await site.member();
  const client = site.client();
  const { data, error } = await client.auth.signInWithPassword(member);
  if (error) throw error;
  return { ...member, client, session: data.session };
}

async function startRegistration({ client }: Pick<Registrant, "client">) {
  const { data, error } = await client.auth.passkey.startRegistration();
  if (error) throw error;
  return data;
}

const register = (
  { client }: Pick<Registrant, "client">,
  authenticator = createAuthenticator(SITE),
  lies: Lies = {},
) => registerPasskey(client, authenticator, lies);

/** Returns a member with a passkey. */
async function memberWithPasskey() {
  const member = await signedInMember();
  const authenticator = createAuthenticator(SITE);
  const { data, error } = await register(member, authenticator);
  if (error) throw error;
  return { ...member, authenticator, passkey: data };
}

async function startSignIn(client = auth.client()) {
  const { data, error } = await client.auth.passkey.startAuthentication();
  if (error) throw error;
  return { client, challengeId: data.challenge_id, options: data.options as never, data };
}

const signIn = (authenticator: SoftwareAuthenticator, lies: SignInLies = {}, client = auth.client()) =>
  signInWithPasskey(client, authenticator, lies);

async function mailsTo(email: string): Promise<string[]> {
  return auth.mails.filter(({ to }) => to === email).map(({ subject }) => subject);
}

function claimsOf(session: Session | null | undefined): Record<string, unknown> {
  return JSON.parse(Buffer.from(session?.access_token.split(".")[1] ?? "", "base64url").toString());
}

describe("a member's passkeys, with an unmodified auth-js", () => {
  test("a member adds a passkey, signs in with it, renames it, and deletes it", async () => {
    const member = await memberWithPasskey();
    expect(member.passkey).toEqual({
      id: expect.any(String),
      friendly_name: "Passkey",
      created_at: expect.any(String),
    });
    const { data, error } = await signIn(member.authenticator);
    expect(error).toBeNull();
    expect(data?.user).toMatchObject({ id: member.id, email: member.email });
    expect(claimsOf(data?.session)).toMatchObject({ amr: [{ method: "passkey" }], sub: member.id });

    const { passkey } = member.client.auth;
    const listed = (await passkey.list()).data;
    expect(listed).toEqual([{ ...member.passkey, last_used_at: expect.any(String) }]);
    const renamed = await passkey.update({ passkeyId: member.passkey.id, friendlyName: " My phone " });
    expect(renamed.data).toMatchObject({ id: member.passkey.id, friendly_name: "My phone" });
    expect((await passkey.delete({ passkeyId: member.passkey.id })).error).toBeNull();
    expect((await passkey.list()).data).toEqual([]);
    expect((await signIn(member.authenticator)).error).toMatchObject({
      code: "webauthn_verification_failed",
    });
    const name = "your account at Techfolio";
    expect(await mailsTo(member.email)).toEqual([
      `A passkey was added to ${name}`,
      `A passkey was removed from ${name}`,
    ]);
    expect(auth.mails.find(({ subject }) => subject.includes("was removed from"))?.text).toContain(
      "My phone",
    );
  });

  test("the options ask for a discoverable passkey, for user verification, and for a handle that isn't the address", async () => {
    const member = await memberWithPasskey();
    const { options, expires_at } = await startRegistration(member);
    expect(options).toMatchObject({
      rp: { id: "techfolio.test", name: "Techfolio" },
      attestation: "none",
      authenticatorSelection: {
        residentKey: "required",
        requireResidentKey: true,
        userVerification: "required",
      },
      excludeCredentials: [{ id: member.authenticator.id, type: "public-key", transports: ["internal"] }],
      user: { name: member.email },
    });
    expect(Buffer.from(options.user.id, "base64url").toString()).toBe(member.id);
    const inFiveMinutes = Date.now() / 1_000 + 300;
    expect(Math.abs(expires_at - inFiveMinutes)).toBeLessThan(30);
    const { data } = await startSignIn();
    expect(data.options).toMatchObject({ rpId: "techfolio.test", userVerification: "required" });
    expect(data.options).not.toHaveProperty("allowCredentials");
  });

  test("a session that began with a passkey still says so after a refresh", async () => {
    const { authenticator } = await memberWithPasskey();
    const client = auth.client();
    const before = claimsOf((await signIn(authenticator, {}, client)).data?.session);
    const { data } = await client.auth.refreshSession();
    expect(claimsOf(data.session)["amr"]).toEqual(before["amr"]);
  });

  test("a session that began more than 15 minutes ago can't add a passkey, also after a refresh, until the member signs in again", async () => {
    const member = await signedInMember();
    const needed = { status: 400, code: "reauthentication_needed" };
    await auth.admin.query("update auth.sessions set created_at = created_at - interval '16 minutes'");
    expect((await member.client.auth.passkey.startRegistration()).error).toMatchObject(needed);
    await member.client.auth.refreshSession();
    expect((await member.client.auth.passkey.startRegistration()).error).toMatchObject(needed);
    await member.client.auth.signInWithPassword(member);
    const authenticator = createAuthenticator(SITE);
    expect((await register(member, authenticator)).error).toBeNull();

    await auth.admin.query("update auth.sessions set created_at = created_at - interval '16 minutes'");
    expect((await member.client.auth.passkey.list()).data).toHaveLength(1);
    await signIn(authenticator, {}, member.client);
    expect((await register(member)).error).toBeNull();
  });

  test("a challenge that a member got before the 15 minutes ended still adds the passkey", async () => {
    const member = await signedInMember();
    const { challenge_id: challengeId, options } = await startRegistration(member);
    await auth.admin.query("update auth.sessions set created_at = created_at - interval '16 minutes'");
    const credential = createAuthenticator(SITE).register(options as never) as never;
    const { error } = await member.client.auth.passkey.verifyRegistration({ challengeId, credential });
    expect(error).toBeNull();
  });

  test("an eleventh passkey gets 422, even if two are added at the same time", async () => {
    const member = await signedInMember();
    for (let count = 0; count < 9; count += 1) expect((await register(member)).error).toBeNull();
    const [first, second] = [createAuthenticator(SITE), createAuthenticator(SITE)];
    const starts = [await startRegistration(member), await startRegistration(member)];
    const results = await Promise.all(
      [first, second].map((authenticator, index) => {
        const start = starts[index];
        if (!start) throw new Error("There is no challenge");
        const credential = authenticator.register(start.options as never) as never;
        return member.client.auth.passkey.verifyRegistration({ challengeId: start.challenge_id, credential });
      }),
    );
    expect(results.map(({ error }) => error?.code).sort()).toEqual(["too_many_passkeys", undefined]);
    const { error } = await member.client.auth.passkey.startRegistration();
    expect(error).toMatchObject({ status: 422, code: "too_many_passkeys" });
    const { data } = await member.client.auth.passkey.list();
    expect(new Set(data?.map(({ friendly_name }) => friendly_name)).size).toBe(10);
  });

  test("a name has 1 to 120 characters", async () => {
    const { client, passkey } = await memberWithPasskey();
    const rename = (friendlyName: string) =>
      client.auth.passkey.update({ passkeyId: passkey.id, friendlyName });
    expect((await rename("🔑".repeat(120))).data?.friendly_name).toBe("🔑".repeat(120));
    for (const name of ["🔑".repeat(121), "", "  "])
      expect((await rename(name)).error).toMatchObject({ status: 400, code: "validation_failed" });
  });

  test("a member can neither rename nor delete another member's passkey", async () => {
    const [owner, other] = [await memberWithPasskey(), await signedInMember()];
    const { passkey } = other.client.auth;
    const passkeyId = owner.passkey.id;
    const notFound = { status: 404, code: "validation_failed", message: "Passkey not found" };
    expect((await passkey.update({ passkeyId, friendlyName: "mine" })).error).toMatchObject(notFound);
    expect((await passkey.delete({ passkeyId })).error).toMatchObject(notFound);
    expect((await owner.client.auth.passkey.list()).data).toMatchObject([{ friendly_name: "Passkey" }]);
  });

  test("a token of an ended session gets 401, and visitors get 401", async () => {
    const member = await memberWithPasskey();
    const headers = { authorization: `Bearer ${member.session.access_token}` };
    await member.client.auth.signOut();
    const body = JSON.stringify({ friendly_name: "x", challenge_id: randomUUID(), credential: {} });
    const paths = [
      ["GET", "passkeys"],
      ["POST", "passkeys/registration/options"],
      ["POST", "passkeys/registration/verify"],
      ["PATCH", `passkeys/${member.passkey.id}`],
      ["DELETE", `passkeys/${member.passkey.id}`],
    ] as const;
    for (const [method, path] of paths) {
      const init = method === "GET" ? { method } : { method, body };
      const ended = await auth.request(path, { ...init, headers });
      expect([path, ended.status, (await ended.json()).error_code]).toEqual([path, 401, "session_not_found"]);
      expect([path, (await auth.request(path, init)).status]).toEqual([path, 401]);
    }
  });

  test("a new password keeps the passkeys", async () => {
    const member = await memberWithPasskey();
    await member.client.auth.updateUser({ password: "another password" });
    expect((await signIn(member.authenticator)).error).toBeNull();
  });

  test("a member who can sign in only at a provider gets 422", async () => {
    const member = await signedInMember();
    await auth.admin.query("update auth.identities set provider = 'oidc' where user_id = $1", [member.id]);
    const { error } = await member.client.auth.passkey.startRegistration();
    expect(error).toMatchObject({ status: 422, code: "validation_failed" });
  });

  test("a suspended member gets 403 user_banned with a date, and a deleted account's passkey is unknown", async () => {
    const member = await memberWithPasskey();
    await auth.service.auth.admin.updateUserById(member.id, { ban_duration: "48h" });
    const banned = await signIn(member.authenticator);
    expect(banned.error).toMatchObject({ status: 403, code: "user_banned" });
    expect(banned.error?.message).toMatch(/^This account is suspended until /);
    await auth.service.auth.admin.deleteUser(member.id);
    expect((await signIn(member.authenticator)).error).toMatchObject({
      code: "webauthn_verification_failed",
    });
  });
});

describe("responses that don't match the challenge or the passkey", () => {
  const unknownId = "q".repeat(43);
  const handle = (text: string) => Buffer.from(text).toString("base64url");
  const otherKey = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

  /** Why the last response was rejected, according to the log. */
  const lastReason = () => JSON.parse(auth.lines.at(-1) ?? "{}").reason;

  const registrations: [string, Lies, string][] = [
    ["another challenge", { challenge: "AAAA" }, "challenge"],
    ["another site's origin", { origin: "https://evil.test" }, "origin"],
    ["an origin with another port", { origin: `${SITE}:8443` }, "origin"],
    ["another relying party", { rpId: "evil.test" }, "RP ID"],
    ["no user presence", { flags: 4 }, "not present"],
    ["no user verification", { flags: 1 }, "could not be verified"],
    ["the other ceremony's type", { type: "webauthn.get" }, "type"],
    ["two different ids", { id: unknownId }, "two ids differ"],
    ["a key of 16,384 bits", { modulusBytes: 2_048 }, "key is too long"],
    [
      "an attestation with certificates",
      {
        attestation: { fmt: "packed", attStmt: new Map([["x5c", [new Uint8Array(9)]]]) },
      },
      "not requested",
    ],
    [
      "an attestation that the site didn't request",
      { attestation: { fmt: "apple", attStmt: new Map() } },
      "not requested",
    ],
  ];

  test.each(registrations)("a registration with %s is rejected and adds nothing", async (_, lies, reason) => {
    const member = await signedInMember();
    const { error } = await register(member, createAuthenticator(SITE), lies);
    expect(error).toMatchObject({ status: 400, code: "webauthn_verification_failed" });
    expect(lastReason()).toContain(reason);
    expect((await member.client.auth.passkey.list()).data).toEqual([]);
  });

  const signIns: [string, SignInLies, string][] = [
    ["another challenge", { challenge: "AAAA" }, "challenge"],
    ["another site's origin", { origin: "https://evil.test" }, "origin"],
    ["another relying party", { rpId: "evil.test" }, "RP ID"],
    ["no user presence", { flags: 4 }, "not present"],
    ["no user verification", { flags: 1 }, "could not be verified"],
    ["the other ceremony's type", { type: "webauthn.create" }, "type"],
    ["a wrong signature", { key: otherKey }, "signature is wrong"],
    ["an unknown id", { id: unknownId }, "unknown"],
    ["another member's handle", { userHandle: handle(randomUUID()) }, "unknown"],
    ["a handle that is no id", { userHandle: handle("a\0b") }, "unknown"],
  ];

  test.each(signIns)(
    "a sign-in with %s gets the same response as every wrong one, and leaves no session",
    async (_, lies, reason) => {
      const { authenticator, id } = await memberWithPasskey();
      const { error, data } = await signIn(authenticator, lies);
      expect(data).toBeNull();
      expect(error).toMatchObject({
        status: 400,
        code: "webauthn_verification_failed",
        message: "Credential verification failed",
      });
      expect(lastReason()).toContain(reason);
      const { rows } = await auth.admin.query("select from auth.sessions where user_id = $1", [id]);
      expect(rows).toHaveLength(1);
      expect((await signIn(authenticator)).error).toBeNull();
    },
  );

  test("the responses of unknown passkeys, wrong handles, wrong counters and wrong signatures each verify one signature", async () => {
    const { authenticator } = await memberWithPasskey();
    await signIn(authenticator, { counter: 9 });
    const verify = vi.spyOn(crypto.subtle, "verify");
    const wrong: SignInLies[] = [
      { id: unknownId },
      { userHandle: handle(randomUUID()) },
      { counter: 3 },
      { counter: 10, key: otherKey },
      { counter: 3, key: otherKey },
    ];
    for (const [index, lies] of wrong.entries()) {
      expect((await signIn(authenticator, lies)).error?.code).toBe("webauthn_verification_failed");
      expect(verify).toHaveBeenCalledTimes(index + 1);
    }
    verify.mockRestore();
  });

  test("a counter that doesn't increase is rejected, and one that stays zero is accepted", async () => {
    const { authenticator } = await memberWithPasskey();
    expect((await signIn(authenticator, { counter: 0 })).error).toBeNull();
    expect((await signIn(authenticator, { counter: 0 })).error).toBeNull();
    expect((await signIn(authenticator, { counter: 7 })).error).toBeNull();
    for (const counter of [7, 6, 0])
      expect((await signIn(authenticator, { counter })).error?.code).toBe("webauthn_verification_failed");
    expect((await signIn(authenticator, { counter: 8 })).error).toBeNull();
  });

  test("two copies of a passkey that sign in at the same moment with one counter get one session", async () => {
    const { authenticator } = await memberWithPasskey();
    const results = await Promise.all([1, 2].map(() => signIn(authenticator, { counter: 5 })));
    expect(results.map(({ error }) => error?.code).sort()).toEqual([
      "webauthn_verification_failed",
      undefined,
    ]);
  });

  test("twenty simultaneous responses to one challenge sign in once", async () => {
    const { authenticator, id } = await memberWithPasskey();
    const { challengeId, options } = await startSignIn();
    const credential = authenticator.signIn(options) as never;
    const address = newAddress();
    const answers = Array.from({ length: 20 }, () =>
      auth.client({ address }).auth.passkey.verifyAuthentication({ challengeId, credential }),
    );
    const codes = (await Promise.all(answers)).map(({ error }) => error?.code ?? "signed in");
    expect(codes.filter((code) => code === "signed in")).toHaveLength(1);
    expect(codes.filter((code) => code === "webauthn_challenge_not_found")).toHaveLength(19);
    const { rows } = await auth.admin.query("select from auth.sessions where user_id = $1", [id]);
    expect(rows).toHaveLength(2);
  });

  test("a challenge works once, also for a registration, and neither for the other ceremony nor for another member", async () => {
    const { authenticator, ...member } = await memberWithPasskey();
    const other = await signedInMember();
    const notFound = { status: 400, code: "webauthn_challenge_not_found" };

    const start = await startRegistration(member);
    const challengeId = start.challenge_id;
    const credential = createAuthenticator(SITE).register(start.options as never) as never;
    const answer = (client: SupabaseClient) =>
      client.auth.passkey.verifyRegistration({ challengeId, credential });
    expect((await answer(other.client)).error).toMatchObject(notFound);
    const asSignIn = await auth.client().auth.passkey.verifyAuthentication({ challengeId, credential });
    expect(asSignIn.error).toMatchObject(notFound);
    expect((await answer(member.client)).error).toBeNull();
    expect((await answer(member.client)).error).toMatchObject(notFound);

    const second = await startSignIn();
    const asRegistration = await member.client.auth.passkey.verifyRegistration({
      challengeId: second.challengeId,
      credential: authenticator.signIn(second.options) as never,
    });
    expect(asRegistration.error).toMatchObject(notFound);
  });

  test("a wrong response uses up its challenge", async () => {
    const { authenticator } = await memberWithPasskey();
    const { client, challengeId, options } = await startSignIn();
    const answer = (lies: SignInLies) =>
      client.auth.passkey.verifyAuthentication({
        challengeId,
        credential: authenticator.signIn(options, lies) as never,
      });
    expect((await answer({ flags: 1 })).error?.code).toBe("webauthn_verification_failed");
    expect((await answer({})).error?.code).toBe("webauthn_challenge_not_found");
  });

  test("a challenge expires after five minutes", async () => {
    const member = await memberWithPasskey();
    const signInStart = await startSignIn();
    const addition = await startRegistration(member);
    await auth.admin.query(
      "update auth.webauthn_challenges set expires_at = expires_at - interval '5 minutes'",
    );
    const expired = { status: 400, code: "webauthn_challenge_expired" };
    const signedIn = await signInStart.client.auth.passkey.verifyAuthentication({
      challengeId: signInStart.challengeId,
      credential: member.authenticator.signIn(signInStart.options) as never,
    });
    expect(signedIn.error).toMatchObject(expired);
    const added = await member.client.auth.passkey.verifyRegistration({
      challengeId: addition.challenge_id,
      credential: createAuthenticator(SITE).register(addition.options as never) as never,
    });
    expect(added.error).toMatchObject(expired);
  });

  test("a passkey of one account can't be added to another one", async () => {
    const { authenticator } = await memberWithPasskey();
    const { error } = await register(await signedInMember(), authenticator);
    expect(error).toMatchObject({ status: 422, code: "webauthn_credential_exists" });
  });

  test("a body without a challenge or a credential gets 400, and an unreadable credential uses up the challenge", async () => {
    const { challengeId } = await startSignIn();
    const verify = async (body: object) => {
      const response = await auth.post("passkeys/authentication/verify", body);
      const { error_code, msg } = await response.json();
      return [response.status, error_code, msg];
    };
    const credential = { id: "x" };
    expect(await verify({ credential })).toEqual([400, "validation_failed", "challenge_id is required"]);
    expect(await verify({ challenge_id: challengeId })).toEqual([
      400,
      "validation_failed",
      "credential is required",
    ]);
    expect((await verify({ challenge_id: "x", credential }))[1]).toBe("validation_failed");
    expect(await verify({ challenge_id: challengeId, credential })).toEqual([
      400,
      "webauthn_verification_failed",
      "Invalid credential response",
    ]);
    expect((await verify({ challenge_id: challengeId, credential }))[1]).toBe("webauthn_challenge_not_found");
  });
});

describe("limits of passkey requests, and their log lines", () => {
  test("after 30 rejected responses, an IP address gets 429, and successful sign-ins don't count", async () => {
    const { authenticator } = await memberWithPasskey();
    const client = auth.client({ address: newAddress() });
    const open = await startSignIn(client);
    const failures = "update auth.rate_limits set points = $1 where key like 'passkey failure:%'";
    expect((await signIn(authenticator, { flags: 1 }, client)).error).toMatchObject({ status: 400 });
    await auth.admin.query(failures, [29]);
    expect((await signIn(authenticator, {}, client)).error).toBeNull();
    expect((await signIn(authenticator, { flags: 1 }, client)).error).toMatchObject({ status: 400 });
    const limited = { status: 429, code: "over_request_rate_limit" };
    expect((await client.auth.passkey.startAuthentication()).error).toMatchObject(limited);
    const { challengeId } = open;
    const credential = authenticator.signIn(open.options) as never;
    expect((await client.auth.passkey.verifyAuthentication({ challengeId, credential })).error).toMatchObject(
      limited,
    );
    expect((await signIn(authenticator)).error).toBeNull();
  });

  test("an IP address gets 300 challenges in five minutes, and a member 60 in an hour", async () => {
    const address = newAddress();
    const member = await signedInMember();
    await auth.admin.query("update auth.rate_limits set points = 300 where key like 'passkey challenge:%'");
    const client = auth.client({ address });
    await startSignIn(client);
    await auth.admin.query("update auth.rate_limits set points = 300 where key like 'passkey challenge:%'");
    expect((await client.auth.passkey.startAuthentication()).error?.status).toBe(429);
    await startRegistration(member);
    await auth.admin.query("update auth.rate_limits set points = 60 where key like 'passkey addition:%'");
    expect((await member.client.auth.passkey.startRegistration()).error?.status).toBe(429);
  });

  test("the log names why a response was rejected, without its challenge or signature", async () => {
    const { authenticator } = await memberWithPasskey();
    const before = auth.lines.length;
    const { client, challengeId, options } = await startSignIn();
    const credential = authenticator.signIn(options, { origin: "https://www.techfolio.test" });
    await client.auth.passkey.verifyAuthentication({ challengeId, credential: credential as never });
    await signIn(authenticator, { challenge: "A".repeat(43) });
    const lines = auth.lines.slice(before).join("");
    expect(lines).toContain("passkey.rejected");
    expect(lines).toContain("https://www.techfolio.test");
    expect(lines).not.toContain(credential.response.signature);
    expect(lines).not.toContain("A".repeat(30));
    expect(lines).not.toContain((options as { challenge: string }).challenge);
  });
});

describe("a client with the service key", () => {
  test("lists and removes a member's passkeys, of which the member gets an email", async () => {
    const member = await memberWithPasskey();
    const { passkey } = auth.service.auth.admin;
    const { data } = await passkey.listPasskeys({ userId: member.id });
    expect(data).toEqual([member.passkey]);
    const parameters = { userId: member.id, passkeyId: member.passkey.id };
    expect((await passkey.deletePasskey(parameters)).error).toBeNull();
    expect((await passkey.deletePasskey(parameters)).error).toMatchObject({ status: 404 });
    expect((await passkey.listPasskeys({ userId: randomUUID() })).error).toMatchObject({
      status: 404,
      code: "user_not_found",
    });
    expect(await mailsTo(member.email)).toContain("A passkey was removed from your account at Techfolio");
    const path = `admin/users/${member.id}/passkeys`;
    const headers = { authorization: `Bearer ${member.session.access_token}` };
    expect((await auth.request(path, { headers })).status).toBe(403);
  });
});

describe.each([
  ["at an IP address", { siteUrl: "http://127.0.0.1:3000" }],
  ["at an IPv6 address", { siteUrl: "http://[::1]:3000" }],
  ["with PASSWORD_SIGN_IN=off", { passwordSignIn: false }],
])("a site %s", (_, settings) => {
  test("has no passkeys: its endpoints respond with 404 passkey_disabled", async () => {
    const site = await startTestAuth(settings, auth);
    const disabled = { status: 404, code: "passkey_disabled" };
    expect((await site.client().auth.passkey.startAuthentication()).error).toMatchObject(disabled);
    for (const path of ["passkeys", "passkeys/registration/options"])
      expect((await (await site.request(path)).json()).error_code).toBe("passkey_disabled");
    expect(await (await site.request("settings")).json()).toMatchObject({ passkeys_enabled: false });
  });
});

test("a site at localhost has passkeys", async () => {
  const site = await startTestAuth({ siteUrl: "http://localhost:3000" }, auth);
  const { data } = await site.client().auth.passkey.startAuthentication();
  expect(data?.options).toMatchObject({ rpId: "localhost" });
  expect(await (await site.request("settings")).json()).toMatchObject({ passkeys_enabled: true });
});
