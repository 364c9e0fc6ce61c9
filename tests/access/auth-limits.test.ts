import { afterAll, describe, expect, test } from "vitest";
import { newAddress, startTestAuth } from "../support/auth.ts";

const auth = await startTestAuth();
const member = await auth.member();
afterAll(() => auth.stop());

function signIn(email: string, password: string, address = newAddress()): Promise<Response> {
  return auth.post("token?grant_type=password", { email, password }, {}, address);
}

describe("sign-in limits", () => {
  test("an address is limited after 30 failures", async () => {
    const address = newAddress();
    for (let count = 0; count < 30; count += 1) {
      expect((await signIn(`nobody${count}@example.com`, "wrong", address)).status).toBe(400);
    }
    const answer = await signIn("somebody@example.com", "wrong", address);
    expect(answer.status).toBe(429);
    expect(await answer.json()).toMatchObject({ error_code: "over_request_rate_limit" });
    const wait = Number(answer.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(300);
    const right = await signIn(member.email, member.password, address);
    expect(right.status).toBe(429);
  });

  test("an email is limited after 10 failures from one address, but not from other addresses", async () => {
    const address = newAddress();
    for (let count = 0; count < 10; count += 1) {
      expect((await signIn(member.email, "wrong", address)).status).toBe(400);
    }
    const answer = await signIn(member.email.toUpperCase(), member.password, address);
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(300);
    expect((await signIn("other@example.com", "wrong", address)).status).toBe(400);
    expect((await signIn(member.email, member.password)).status).toBe(200);
  });

  test("supabase-js gets a rate limit error", async () => {
    const address = newAddress();
    const client = auth.client({ address });
    for (let count = 0; count < 10; count += 1) await signIn("limited@example.com", "wrong", address);
    const { error } = await client.auth.signInWithPassword({ email: "limited@example.com", password: "x" });
    expect(error).toMatchObject({ status: 429, code: "over_request_rate_limit" });
  });

  test("count the /56 of an IPv6 address, and an IPv4 address behind IPv6 as itself", async () => {
    for (let count = 0; count < 10; count += 1) {
      await signIn("six@example.com", "wrong", `2001:db8:1:2::${count.toString(16)}`);
    }
    expect((await signIn("six@example.com", "wrong", "2001:db8:1:2:ffff::1")).status).toBe(429);
    expect((await signIn("six@example.com", "wrong", "2001:db8:1:102::1")).status).toBe(400);
    const address = newAddress();
    for (let count = 0; count < 10; count += 1) await signIn("four@example.com", "wrong", address);
    expect((await signIn("four@example.com", "wrong", `::ffff:${address}`)).status).toBe(429);
  });

  test("X-Forwarded-For is ignored without TRUST_PROXY", async () => {
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

  test("successes don't count, and a success clears the count", async () => {
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

  test("signing in between guesses at other members' passwords does not avoid the limit", async () => {
    const address = newAddress();
    const answers: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      for (let count = 0; count < 15; count += 1) {
        answers.push((await signIn(`victim${round}-${count}@example.com`, "wrong", address)).status);
      }
      await signIn(member.email, member.password, address);
    }
    expect(answers.filter((status) => status === 400).length).toBeLessThanOrEqual(60);
    expect(answers.at(-1)).toBe(429);
  });

  test("the right one of many simultaneous guesses does not avoid the limit", async () => {
    const account = await auth.member();
    const address = newAddress();
    const guesses = Array.from({ length: 60 }, (_, count) =>
      count === 40 ? account.password : `guess ${count}`,
    );
    const answers = await Promise.all(guesses.map((guess) => signIn(account.email, guess, address)));
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(10);
    expect(statuses[40]).toBe(429);
  });
});

test("a member whose count can't be cleared is signed in anyway, and a warning is logged", async () => {
  const broken = await startTestAuth();
  try {
    const account = await broken.member();
    await broken.admin.query("revoke delete on auth.rate_limits from supabase_auth_admin");
    const answer = await broken.post("token?grant_type=password", account);
    expect(answer.status).toBe(200);
    expect(broken.lines.filter((line) => line.includes("sign_in.counter_kept"))).toHaveLength(1);
  } finally {
    await broken.stop();
  }
});

test("failures are counted in the database, which processes share", async () => {
  const address = newAddress();
  const guess = () => signIn("x@example.com", "wrong", address);
  for (let count = 0; count < 10; count += 1) expect((await guess()).status).toBe(400);
  expect((await guess()).status).toBe(429);
  await auth.admin.query("delete from auth.rate_limits");
  expect((await guess()).status).toBe(400);
});

describe("limits on recovery mails", () => {
  test("mails above the limit get the same response, and the owner can still ask from another address", async () => {
    const address = newAddress();
    const sentTo = () => auth.mails.filter((mail) => mail.to === member.email).length;
    const answers: string[] = [];
    for (let count = 0; count < 8; count += 1) {
      const answer = await auth.post("recover", { email: member.email }, {}, address);
      answers.push(`${answer.status} ${await answer.text()}`);
    }
    expect(new Set(answers)).toEqual(new Set(["200 {}"]));
    await auth.post("recover", { email: member.email });
    await expect.poll(sentTo).toBe(6);
  });
});
