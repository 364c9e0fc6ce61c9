import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { startTestDatabase } from "../../tests/support/database.ts";
import { readSettings } from "../config/settings.ts";
import { createEmailLimits, createSignInLimits } from "./attempt-limits.ts";
import { createAuthTransaction } from "./auth-env.ts";

const { authLimits } = readSettings({});
const minute = 60_000;
const here = "192.0.2.1";
const there = "192.0.2.2";

const testDatabase = await startTestDatabase();
afterAll(() => testDatabase.stop());
beforeEach(() => testDatabase.admin.query("truncate auth.rate_limits"));

const transaction = createAuthTransaction(testDatabase.database);
const decideEmail = createEmailLimits(transaction, authLimits);

function openLimits() {
  const { wait, failed, succeeded } = createSignInLimits(authLimits);
  return {
    wait: (address: string, email: string) => transaction((client) => wait(client, address, email)),
    failed: (address: string, email: string) => transaction((client) => failed(client, address, email)),
    succeeded: (address: string, email: string) => transaction((client) => succeeded(client, address, email)),
  };
}

const limits = openLimits();

async function failSignIns(times: number, email: (n: number) => string) {
  for (let n = 0; n < times; n += 1) await limits.failed(here, email(n));
}

const advanceClock = (ms: number) =>
  testDatabase.admin.query("update auth.rate_limits set expire = expire - $1", [ms]);

/** Allows for the time that passes between counting a failure and reading the remaining wait. */
const isAbout = (wait: number, ms: number) => wait <= ms && wait > ms - 10_000;

describe("limits on failed sign-ins", () => {
  test("an IP address with 30 failed sign-ins must wait 5 minutes", async () => {
    await failSignIns(30, (n) => `${n}@example.com`);
    expect(await limits.wait(here, "new@example.com")).toSatisfy((wait) => isAbout(wait, 5 * minute));
    await advanceClock(4 * minute);
    expect(await limits.wait(here, "new@example.com")).toSatisfy((wait) => isAbout(wait, minute));
    await advanceClock(minute);
    expect(await limits.wait(here, "new@example.com")).toBe(0);
  });

  test("an IP address with 10 failed sign-ins to one account must wait 15 minutes before it tries that account again", async () => {
    await failSignIns(10, () => "one@example.com");
    await advanceClock(14 * minute);
    expect(await limits.wait(here, "one@example.com")).toSatisfy((wait) => isAbout(wait, minute));
    expect(await limits.wait(here, "two@example.com")).toBe(0);
    expect(await limits.wait(there, "one@example.com")).toBe(0);
    await advanceClock(minute);
    expect(await limits.wait(here, "one@example.com")).toBe(0);
  });

  test("failed sign-ins during a wait do not extend it", async () => {
    await failSignIns(10, () => "one@example.com");
    await advanceClock(10 * minute);
    expect(await limits.failed(here, "one@example.com")).toSatisfy((wait) => isAbout(wait, 5 * minute));
    await advanceClock(5 * minute);
    expect(await limits.wait(here, "one@example.com")).toBe(0);
  });

  test("a successful sign-in resets an IP address's failure count at most once in 5 minutes", async () => {
    await failSignIns(29, (n) => `${n}@example.com`);
    await limits.succeeded(here, "member@example.com");
    await failSignIns(29, (n) => `${n}@example.com`);
    expect(await limits.wait(here, "new@example.com")).toBe(0);
    await limits.succeeded(here, "member@example.com");
    await failSignIns(1, () => "last@example.com");
    expect(await limits.wait(here, "new@example.com")).toBeGreaterThan(0);
  });

  test("processes that share the database share the counts of failed sign-ins", async () => {
    const other = openLimits();
    for (let n = 0; n < 10; n += 1) {
      expect(await (n % 2 ? limits : other).failed(here, "shared@example.com")).toBe(0);
    }
    expect(await limits.wait(here, "shared@example.com")).toBeGreaterThan(0);
    expect(await other.wait(here, "shared@example.com")).toBeGreaterThan(0);
    expect(await other.failed(here, "shared@example.com")).toBeGreaterThan(0);
    expect(await limits.wait(there, "shared@example.com")).toBe(0);
    await other.succeeded(here, "shared@example.com");
    expect(await limits.wait(here, "shared@example.com")).toBe(0);
  });

  test("only 10 of 40 simultaneous failed sign-ins to one account are within the limit", async () => {
    const waits = await Promise.all(
      Array.from({ length: 40 }, () => limits.failed(there, "at-once@example.com")),
    );
    expect(waits.filter((wait) => wait === 0)).toHaveLength(10);
  });

  test("the stored counters contain no email address", async () => {
    await failSignIns(1, () => "secret@example.com");
    const { rows } = await testDatabase.admin.query(
      "select string_agg(key, ' ') as keys from auth.rate_limits",
    );
    expect(rows[0].keys).toContain("sign-in");
    expect(rows[0].keys).not.toContain("example.com");
  });
});

describe("limits on recovery emails", () => {
  async function countSent(times: number, from: (n: number) => string, to: (n: number) => string) {
    let count = 0;
    for (let n = 0; n < times; n += 1) if ((await decideEmail(from(n), to(n))) === "send") count += 1;
    return count;
  }

  test("in an hour, recovery emails are limited to 30 per IP address, 20 per account, and 5 per IP address and account", async () => {
    const toOne = () => "one@example.com";
    const fromHere = () => here;
    expect(await countSent(8, fromHere, toOne)).toBe(5);
    expect(await countSent(40, fromHere, (n) => `${n}@example.com`)).toBe(22);
    expect(await countSent(40, (n) => `198.51.100.${n}`, toOne)).toBe(15);
    await advanceClock(60 * minute);
    expect(await decideEmail(here, "one@example.com")).toBe("send");
  });

  test("an account above its limit still receives one recovery email every 5 minutes, whichever IP address requests it", async () => {
    expect(
      await countSent(
        20,
        (n) => `198.51.100.${n % 4}`,
        () => "owner@example.com",
      ),
    ).toBe(20);
    const decideFor = (n: number) => decideEmail(`203.0.113.${n}`, "owner@example.com");
    expect(await decideFor(1)).toBe("resend");
    expect(await decideFor(2)).toBe("reject");
    await advanceClock(5 * minute);
    expect(await decideFor(3)).toBe("resend");
  });

  test("requests for recovery emails above an IP address's limit add no counters to the database", async () => {
    await countSent(
      1_000,
      () => here,
      (n) => `${n}@example.com`,
    );
    const { rows } = await testDatabase.admin.query("select count(*)::int as count from auth.rate_limits");
    // One counter for the IP address, and two for each of its 30 emails:
    // one for the recipient, and one for the pair of IP address and recipient.
    expect(rows).toEqual([{ count: 61 }]);
  });
});
