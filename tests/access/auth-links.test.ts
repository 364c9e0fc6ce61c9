import { afterAll, describe, expect, test } from "vitest";
import { SITE, startTestAuth } from "../support/auth.ts";
import { generateLink, linkMailedTo } from "../support/auth-links.ts";

const hour = 3_600_000;
const profile = `${SITE}/profile`;

const auth = await startTestAuth();
const member = await auth.member();
afterAll(() => auth.stop());

describe("invitations that operators send", () => {
  test("an invitation creates an account without a password and emails its owner a link to set one", async () => {
    const email = "invited@example.com";
    const { data, error } = await auth.service.auth.admin.inviteUserByEmail(email, {
      data: { team: "data" },
      redirectTo: profile,
    });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email, user_metadata: { team: "data" } });
    expect(data.user?.invited_at).toBeDefined();
    expect(data.user?.email_confirmed_at).toBeUndefined();

    const link = await linkMailedTo(auth, email);
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

  test("an invitation is valid for a week, can be generated again until it is accepted, and cannot be sent to a member", async () => {
    const email = "patient@example.com";
    const first = await generateLink(auth, "invite", email);
    const second = await generateLink(auth, "invite", email);
    expect(second.user?.id).toBe(first.user?.id);
    const verify = (token_hash: string) => auth.post("verify", { type: "invite", token_hash });
    await auth.advance(7 * 24 * hour - 60_000);
    expect((await verify(second.properties.hashed_token)).status).toBe(200);
    const third = await auth.service.auth.admin.inviteUserByEmail(email);
    expect(third.error?.code).toBe("email_exists");
  });

  test("an invitation expires after a week", async () => {
    const { properties } = await generateLink(auth, "invite", "late@example.com");
    await auth.advance(7 * 24 * hour + 60_000);
    const response = await auth.post("verify", { type: "invite", token_hash: properties.hashed_token });
    expect(response.status).toBe(403);
  });
});

describe("redeeming a link with verifyOtp or POST /verify", () => {
  test("verifyOtp signs in with a recovery token and fires PASSWORD_RECOVERY", async () => {
    const { properties } = await generateLink(auth, "recovery", member.email);
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

  test("POST /verify does not accept a recovery token as an invitation", async () => {
    const { properties } = await generateLink(auth, "recovery", member.email);
    const verify = (type: string) => auth.post("verify", { type, token_hash: properties.hashed_token });
    const response = await verify("invite");
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error_code: "otp_expired" });
    expect((await verify("recovery")).status).toBe(200);
  });

  test.each(["magiclink", "signup", "email", "email_change"])(
    "POST /verify rejects the type %s",
    async (type) => {
      const { properties } = await generateLink(auth, "recovery", member.email);
      const response = await auth.post("verify", { type, token_hash: properties.hashed_token });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error_code: "validation_failed" });
    },
  );

  test("POST /verify rejects the token of a banned member", async () => {
    const account = await auth.member();
    const { properties } = await generateLink(auth, "recovery", account.email);
    await auth.service.auth.admin.updateUserById(account.id, { ban_duration: "1h" });
    const response = await auth.post("verify", { type: "recovery", token_hash: properties.hashed_token });
    expect(await response.json()).toMatchObject({ error_code: "user_banned" });
  });
});

describe("the preview of a mailed link", () => {
  const preview = (body: object) => auth.post("verify/preview", body);

  test("the preview of a link returns the account's email address until the link is redeemed, and does not redeem it", async () => {
    const { properties } = await generateLink(auth, "recovery", member.email);
    const link = { type: "recovery", token_hash: properties.hashed_token };
    for (let count = 0; count < 2; count += 1) {
      expect(await (await preview(link)).json()).toEqual({ email: member.email });
    }
    expect((await auth.post("verify", link)).status).toBe(200);
    expect((await preview(link)).status).toBe(403);
  });

  test("the preview of an invitation returns the names that the operator has entered", async () => {
    const invite = async (email: string, names?: object) => {
      const options = names ? { data: names } : {};
      const { data } = await auth.service.auth.admin.generateLink({ type: "invite", email, options });
      return (await preview({ type: "invite", token_hash: data.properties?.hashed_token })).json();
    };
    const names = { full_name: "Ada Byron", username: "ada-b" };
    expect(await invite("named@example.com", names)).toEqual({ email: "named@example.com", names });
    expect(await invite("unnamed@example.com")).toEqual({
      email: "unnamed@example.com",
      names: { full_name: "", username: "" },
    });
  });

  test("the preview of a code returns the account's email address only to the browser that requested the code", async () => {
    const verifier = "v".repeat(50);
    const challenge = { code_challenge: verifier, code_challenge_method: "plain" };
    await auth.post("recover", { email: member.email, ...challenge });
    const auth_code = (await linkMailedTo(auth, member.email)).searchParams.get("code");
    const sameBrowser = await preview({ auth_code, code_verifier: verifier });
    expect(await sameBrowser.json()).toEqual({ email: member.email });
    const otherBrowser = await preview({ auth_code, code_verifier: "w".repeat(50) });
    expect(await otherBrowser.json()).toMatchObject({ error_code: "bad_code_verifier" });
    expect((await preview({ auth_code: "made-up", code_verifier: verifier })).status).toBe(404);
  });

  test.each([{}, { type: "recovery", token_hash: "made-up" }, { type: "magiclink", token_hash: "x" }])(
    "a preview of the link %j is rejected",
    async (link) => {
      expect((await preview(link)).status).toBe(403);
    },
  );
});

describe("generating a link with the service key", () => {
  test("generateLink returns the link that an email would contain", async () => {
    const { data, error } = await auth.service.auth.admin.generateLink({
      type: "recovery",
      email: member.email,
      options: { redirectTo: `${SITE}/articles` },
    });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ id: member.id, email: member.email });
    expect(data.properties).toMatchObject({ verification_type: "recovery", redirect_to: `${SITE}/articles` });
    const { action_link, hashed_token } = data.properties ?? {};
    expect(action_link).toBe(`${SITE}/articles?token_hash=${hashed_token}&type=recovery`);
  });

  test.each(["signup", "magiclink"] as const)("generateLink rejects the type %s", async (type) => {
    const email = "nobody@example.com";
    const { error } = await auth.service.auth.admin.generateLink({ type, email, password: "chosen for me" });
    expect(error).toMatchObject({ status: 400, code: "validation_failed" });
  });

  test("generateLink rejects a recovery link for an unknown account", async () => {
    const { error } = await auth.service.auth.admin.generateLink({
      type: "recovery",
      email: "nobody@example.com",
    });
    expect(error).toMatchObject({ status: 404, code: "user_not_found" });
  });
});
