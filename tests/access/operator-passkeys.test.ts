import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type SignedInMember, startTestAdmin, type TestAdmin } from "../support/admin.ts";
import { SITE } from "../support/auth.ts";
import { createAuthenticator, registerPasskey, signInWithPasskey } from "../support/authenticator.ts";

describe.each(["built-in", "project"] as const)("OPERATORS_NEED_PASSKEY=on with a %s backend", (backend) => {
  let admin: TestAdmin;
  beforeAll(async () => {
    admin = await startTestAdmin(backend, { operatorsNeedPasskey: true });
  });
  afterAll(() => admin.stop());

  /** Returns the responses to a read and to a change. */
  async function call({ token }: Pick<SignedInMember, "token">, victim: SignedInMember) {
    const read = await admin.call(await token(), "/session");
    const change = await admin.call(await token(), `/members/${victim.id}/feature`, {});
    return [read, change].map(async (response) => [response.status, (await response.json()).code]);
  }

  test("only sessions that began with a passkey are accepted, also after a refresh", async () => {
    const [operator, victim] = [await admin.operator(), await admin.member()];
    const required = [403, "passkey_required"];
    expect(await Promise.all(await call(operator, victim))).toEqual([required, required]);

    const authenticator = createAuthenticator(SITE);
    expect((await registerPasskey(operator.client, authenticator)).error).toBeNull();
    await operator.client.auth.refreshSession();
    expect(await Promise.all(await call(operator, victim))).toEqual([required, required]);

    const client = admin.auth.client();
    expect((await signInWithPasskey(client, authenticator)).error).toBeNull();
    const token = async () => (await client.auth.getSession()).data.session?.access_token ?? "";
    const accepted = [200, undefined];
    expect(await Promise.all(await call({ token }, victim))).toEqual([accepted, accepted]);
    await client.auth.refreshSession();
    expect(await Promise.all(await call({ token }, victim))).toEqual([accepted, accepted]);

    await client.auth.signInWithPassword(operator);
    expect(await Promise.all(await call({ token }, victim))).toEqual([required, required]);
  });

  test("a member who isn't an operator still gets not_admin", async () => {
    const member = await admin.member();
    const response = await admin.call(await member.token(), "/session");
    expect((await response.json()).code).toBe("not_admin");
  });

  test("a sign-in with a passkey counts as a fresh one", async () => {
    const [operator, victim] = [await admin.operator(), await admin.member()];
    const authenticator = createAuthenticator(SITE);
    await registerPasskey(operator.client, authenticator);
    await signInWithPasskey(operator.client, authenticator);
    await admin.auth.admin.query("update auth.sessions set created_at = created_at - interval '61 minutes'");
    await operator.client.auth.refreshSession();
    const change = async () =>
      (await (await admin.call(await operator.token(), `/members/${victim.id}/feature`, {})).json()).code;
    expect(await change()).toBe("reauthentication_needed");
    await signInWithPasskey(operator.client, authenticator);
    expect(await change()).toBeUndefined();
  });
});
