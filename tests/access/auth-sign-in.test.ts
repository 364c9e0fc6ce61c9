import bcrypt from "bcrypt";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { newAddress, startTestAuth } from "../support/auth.ts";

const compare = vi.spyOn(bcrypt, "compare");
beforeEach(() => void compare.mockClear());

const auth = await startTestAuth();
const member = await auth.member();
afterAll(() => auth.stop());

function signIn(email: unknown, password: unknown, address = newAddress()): Promise<Response> {
  return auth.post("token?grant_type=password", { email, password }, {}, address);
}

describe("signing in with an email address and a password", () => {
  test("a sign-in ignores the letter case of the email address and spaces around it", async () => {
    const { data, error } = await auth.client().auth.signInWithPassword({
      ...member,
      email: `  ${member.email.toUpperCase()} `,
    });
    expect(error).toBeNull();
    expect(data.user?.id).toBe(member.id);
  });

  test("a sign-in with a wrong password gets the same error as from Supabase's auth service", async () => {
    const { error } = await auth.client().auth.signInWithPassword({ ...member, password: "wrong" });
    expect(error).toMatchObject({
      name: "AuthApiError",
      message: "Invalid login credentials",
      code: "invalid_credentials",
      status: 400,
    });
  });

  test("an unconfirmed email address is reported only with the right password", async () => {
    const email = "unconfirmed@example.com";
    await auth.service.auth.admin.createUser({ email, password: "right enough" });
    expect(await (await signIn(email, "right enough")).json()).toMatchObject({
      error_code: "email_not_confirmed",
    });
    expect(await (await signIn(email, "wrong enough")).json()).toMatchObject({
      error_code: "invalid_credentials",
    });
  });

  test("sign-ins with an unknown email address and with a wrong password get identical responses", async () => {
    const [unknown, wrong] = await Promise.all([
      signIn("nobody@example.com", "wrong password"),
      signIn(member.email, "wrong password"),
    ]);
    expect(unknown.status).toBe(wrong.status);
    expect([...unknown.headers]).toEqual([...wrong.headers]);
    expect(await unknown.text()).toBe(await wrong.text());
  });

  test("sign-ins with an unknown email address, a wrong password or an account without a password check a hash of the same cost", async () => {
    const { data } = await auth.service.auth.admin.inviteUserByEmail("invited@example.com");
    expect(data.user).not.toBeNull();
    for (const email of ["nobody@example.com", member.email, "invited@example.com"]) {
      await signIn(email, "wrong password");
    }
    const costs = compare.mock.calls.map(([, hash]) => bcrypt.getRounds(String(hash)));
    expect(costs).toEqual([costs[0], costs[0], costs[0]]);
  });
});

describe("passwords that are too long", () => {
  test("a sign-in with a password of 1 to 5 MB gets 413, and the password is not hashed", async () => {
    for (const length of [1_000_000, 1024 * 1024, 5_000_000]) {
      const response = await signIn(member.email, "x".repeat(length));
      expect(response.status).toBe(413);
      expect(await response.json()).toMatchObject({ error_code: "request_entity_too_large" });
    }
    expect(compare).not.toHaveBeenCalled();
  });

  test("a sign-in with a password of 1 MB and no Content-Length gets 413", async () => {
    const body = new Blob([
      JSON.stringify({ email: member.email, password: "x".repeat(1_000_000) }),
    ]).stream();
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
    expect((await auth.request("token?grant_type=password", init)).status).toBe(413);
  });

  test("a password that only begins with the right 72 bytes does not sign in", async () => {
    const email = "long@example.com";
    const password = "ü".repeat(36);
    await auth.service.auth.admin.createUser({ email, password, email_confirm: true });
    expect((await signIn(email, password)).status).toBe(200);
    expect((await signIn(email, `${password}x`)).status).toBe(400);
  });

  test("an account cannot be created with a password of more than 72 bytes", async () => {
    const email = "toolong@example.com";
    const { error } = await auth.service.auth.admin.createUser({ email, password: "x".repeat(73) });
    expect(error).toMatchObject({ status: 400, code: "validation_failed" });
    const { data } = await auth.service.auth.admin.listUsers();
    expect(data.users.map((user) => user.email)).not.toContain(email);
  });
});

describe("the log of sign-ins", () => {
  test("the log of a failed and a successful sign-in contains no password, email address or token", async () => {
    const before = auth.lines.length;
    const password = "a password that is nowhere else";
    await signIn("private@example.com", password);
    const { data } = await auth.client().auth.signInWithPassword(member);
    const lines = auth.lines.slice(before).join("");
    expect(lines).toContain("sign_in.failed");
    for (const secret of [
      password,
      "private@example.com",
      data.session?.access_token ?? "-",
      data.session?.refresh_token ?? "-",
    ]) {
      expect(lines).not.toContain(secret);
    }
  });
});
