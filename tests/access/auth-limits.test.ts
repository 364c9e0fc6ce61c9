import { afterAll, describe, expect, test } from "vitest";
import { newAddress, startTestAuth } from "../support/auth.ts";

const auth = await startTestAuth();
const member = await auth.member();
afterAll(() => auth.stop());

function signIn(email: string, password: string, address = newAddress()): Promise<Response> {
  return auth.post("token?grant_type=password", { email, password }, {}, address);
}

describe("sign-in limits", () => {
  test("after 30 failed sign-ins, an IP address gets 429 with Retry-After, even for the right password", async () => {
    const address = newAddress();
    for (let count = 0; count < 30; count += 1) {
      expect((await signIn(`nobody${count}@example.com`, "wrong", address)).status).toBe(400);
    }
    const response = await signIn("somebody@example.com", "wrong", address);
    expect(response.status).toBe(429);
    expect(await response.json()).toMatchObject({ error_code: "over_request_rate_limit" });
    const wait = Number(response.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(300);
    const right = await signIn(member.email, member.password, address);
    expect(right.status).toBe(429);
  });

  test("after 10 failed sign-ins to an account, further ones get 429 from the same IP address but not from another one", async () => {
    const address = newAddress();
    for (let count = 0; count < 10; count += 1) {
      expect((await signIn(member.email, "wrong", address)).status).toBe(400);
    }
    const response = await signIn(member.email.toUpperCase(), member.password, address);
    expect(response.status).toBe(429);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(300);
    expect((await signIn("other@example.com", "wrong", address)).status).toBe(400);
    expect((await signIn(member.email, member.password)).status).toBe(200);
  });

  test("supabase-js reports a rate-limited sign-in as over_request_rate_limit", async () => {
    const address = newAddress();
    const client = auth.client({ address });
    for (let count = 0; count < 10; count += 1) await signIn("limited@example.com", "wrong", address);
    const { error } = await client.auth.signInWithPassword({ email: "limited@example.com", password: "x" });
    expect(error).toMatchObject({ status: 429, code: "over_request_rate_limit" });
  });

  test("failed sign-ins are counted per IPv6 /56 network, and an IPv4-mapped IPv6 address counts as IPv4", async () => {
    for (let count = 0; count < 10; count += 1) {
      await signIn("six@example.com", "wrong", `2001:db8:1:2::${count.toString(16)}`);
    }
    expect((await signIn("six@example.com", "wrong", "2001:db8:1:2:ffff::1")).status).toBe(429);
    expect((await signIn("six@example.com", "wrong", "2001:db8:1:102::1")).status).toBe(400);
    const address = newAddress();
    for (let count = 0; count < 10; count += 1) await signIn("four@example.com", "wrong", address);
    expect((await signIn("four@example.com", "wrong", `::ffff:${address}`)).status).toBe(429);
  });

  test("the sign-in limits ignore X-Forwarded-For, Forwarded and X-Real-IP if TRUST_PROXY is not set", async () => {
    const address = newAddress();
    const from = (count: number) =>
      auth.post(
        "token?grant_type=password",
        { email: "forwarded@example.com", password: "wrong" },
        {
          "x-forwarded-for": `198.51.100.${count}`,
          forwarded: `for=198.51.100.${count}`,
          "x-real-ip": "198.51.100.9",
        },
        address,
      );
    for (let count = 0; count < 10; count += 1) expect((await from(count)).status).toBe(400);
    expect((await from(77)).status).toBe(429);
  });

  test("successful sign-ins are not counted, and each resets the account's failure count", async () => {
    const address = newAddress();
    for (let count = 0; count < 40; count += 1) {
      expect((await signIn(member.email, member.password, address)).status).toBe(200);
    }
    for (let round = 0; round < 2; round += 1) {
      for (let count = 0; count < 9; count += 1) {
        expect((await signIn(member.email, "wrong", address)).status).toBe(400);
      }
      expect((await signIn(member.email, member.password, address)).status).toBe(200);
    }
    for (let count = 0; count < 9; count += 1) {
      expect((await signIn(`nobody${count}@example.com`, "wrong", address)).status).toBe(400);
    }
  });

  test("an attacker who signs in between guesses at other accounts' passwords still reaches the limit", async () => {
    const address = newAddress();
    const responses: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      for (let count = 0; count < 15; count += 1) {
        responses.push((await signIn(`victim${round}-${count}@example.com`, "wrong", address)).status);
      }
      await signIn(member.email, member.password, address);
    }
    expect(responses.filter((status) => status === 400).length).toBeLessThanOrEqual(60);
    expect(responses.at(-1)).toBe(429);
  });

  test("at most 10 of 60 simultaneous guesses at a password are rejected as wrong, and the right one, which is the 41st, gets 429", async () => {
    const account = await auth.member();
    const address = newAddress();
    const guesses = Array.from({ length: 60 }, (_, count) =>
      count === 40 ? account.password : `guess ${count}`,
    );
    const responses = await Promise.all(guesses.map((guess) => signIn(account.email, guess, address)));
    const statuses = responses.map((response) => response.status);
    expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(10);
    expect(statuses[40]).toBe(429);
  });
});

test("a member is signed in even if their failure count cannot be reset, and the log contains a warning", async () => {
  const broken = await startTestAuth();
  try {
    const account = await broken.member();
    await broken.admin.query("revoke delete on auth.rate_limits from supabase_auth_admin");
    const response = await broken.post("token?grant_type=password", account);
    expect(response.status).toBe(200);
    expect(broken.lines.filter((line) => line.includes("sign_in.reset_failed"))).toHaveLength(1);
  } finally {
    await broken.stop();
  }
});

test("failed sign-ins are counted in the database, which all processes share", async () => {
  const address = newAddress();
  const guess = () => signIn("x@example.com", "wrong", address);
  for (let count = 0; count < 10; count += 1) expect((await guess()).status).toBe(400);
  expect((await guess()).status).toBe(429);
  await auth.admin.query("delete from auth.rate_limits");
  expect((await guess()).status).toBe(400);
});

describe("the limits on recovery emails", () => {
  test("a recovery request above the limit of its IP address gets the same response but no email, and other IP addresses can still request one", async () => {
    const address = newAddress();
    const sentTo = () => auth.mails.filter((mail) => mail.to === member.email).length;
    const responses: string[] = [];
    for (let count = 0; count < 8; count += 1) {
      const response = await auth.post("recover", { email: member.email }, {}, address);
      responses.push(`${response.status} ${await response.text()}`);
    }
    expect(new Set(responses)).toEqual(new Set(["200 {}"]));
    await auth.post("recover", { email: member.email });
    await expect.poll(sentTo).toBe(6);
  });
});
