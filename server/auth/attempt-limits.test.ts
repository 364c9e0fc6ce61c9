import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { startTestDatabase } from "../../tests/support/database.ts";
import { readSettings } from "../config/settings.ts";
import { createMailLimits, createSignInLimits } from "./attempt-limits.ts";
import { createCounters } from "./counters.ts";

const { authLimits } = readSettings({});
const minute = 60_000;
const here = "192.0.2.1";
const there = "192.0.2.2";

const stand = await startTestDatabase();
afterAll(() => stand.stop());
beforeEach(() => stand.admin.query("truncate auth.rate_limits"));

const limits = createSignInLimits(createCounters(stand.database), authLimits);
const decideMail = createMailLimits(createCounters(stand.database), authLimits);

async function fail(times: number, email: (n: number) => string) {
  for (let n = 0; n < times; n += 1) await limits.failed(here, email(n));
}

const pass = (ms: number) => stand.admin.query("update auth.rate_limits set expire = expire - $1", [ms]);

/** Time passes between counting and reading the wait. */
const isAbout = (wait: number, ms: number) => wait <= ms && wait > ms - 10_000;

describe("limits on failed sign-ins", () => {
  test("an address may try again after 5 minutes", async () => {
    await fail(30, (n) => `${n}@example.com`);
    expect(await limits.wait(here, "new@example.com")).toSatisfy((wait) => isAbout(wait, 5 * minute));
    await pass(4 * minute);
    expect(await limits.wait(here, "new@example.com")).toSatisfy((wait) => isAbout(wait, minute));
    await pass(minute);
    expect(await limits.wait(here, "new@example.com")).toBe(0);
  });

  test("an address may try the same email again after 15 minutes", async () => {
    await fail(10, () => "one@example.com");
    await pass(14 * minute);
    expect(await limits.wait(here, "one@example.com")).toSatisfy((wait) => isAbout(wait, minute));
    expect(await limits.wait(here, "two@example.com")).toBe(0);
    expect(await limits.wait(there, "one@example.com")).toBe(0);
    await pass(minute);
    expect(await limits.wait(here, "one@example.com")).toBe(0);
  });

  test("failures during a wait do not extend it", async () => {
    await fail(10, () => "one@example.com");
    await pass(10 * minute);
    expect(await limits.failed(here, "one@example.com")).toSatisfy((wait) => isAbout(wait, 5 * minute));
    await pass(5 * minute);
    expect(await limits.wait(here, "one@example.com")).toBe(0);
  });

  test("a success clears an address's count at most once in 5 minutes", async () => {
    await fail(29, (n) => `${n}@example.com`);
    await limits.succeeded(here, "member@example.com");
    await fail(29, (n) => `${n}@example.com`);
    expect(await limits.wait(here, "new@example.com")).toBe(0);
    await limits.succeeded(here, "member@example.com");
    await fail(1, () => "last@example.com");
    expect(await limits.wait(here, "new@example.com")).toBeGreaterThan(0);
  });

  test("processes that share the database share the counts", async () => {
    const other = createSignInLimits(createCounters(stand.database), authLimits);
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

  test("concurrent failures can't exceed the limit", async () => {
    const waits = await Promise.all(
      Array.from({ length: 40 }, () => limits.failed(there, "at-once@example.com")),
    );
    expect(waits.filter((wait) => wait === 0)).toHaveLength(10);
  });

  test("the counters contain no email address", async () => {
    await fail(1, () => "secret@example.com");
    const { rows } = await stand.admin.query("select string_agg(key, ' ') as keys from auth.rate_limits");
    expect(rows[0].keys).toContain("sign-in");
    expect(rows[0].keys).not.toContain("example.com");
  });
});

describe("limits on recovery mails", () => {
  async function allowed(times: number, from: (n: number) => string, to: (n: number) => string) {
    let count = 0;
    for (let n = 0; n < times; n += 1) if ((await decideMail(from(n), to(n))) === "send") count += 1;
    return count;
  }

  test("the limits are 5 mails from one address to one email, 30 from one address and 20 to one email", async () => {
    const toOne = () => "one@example.com";
    const fromHere = () => here;
    expect(await allowed(8, fromHere, toOne)).toBe(5);
    expect(await allowed(40, fromHere, (n) => `${n}@example.com`)).toBe(22);
    expect(await allowed(40, (n) => `198.51.100.${n}`, toOne)).toBe(15);
    await pass(60 * minute);
    expect(await decideMail(here, "one@example.com")).toBe("send");
  });

  test("above the limit to one email, one mail in five minutes is sent, regardless of the address", async () => {
    expect(
      await allowed(
        20,
        (n) => `198.51.100.${n % 4}`,
        () => "owner@example.com",
      ),
    ).toBe(20);
    const ask = (n: number) => decideMail(`203.0.113.${n}`, "owner@example.com");
    expect(await ask(1)).toBe("resend");
    expect(await ask(2)).toBe("refuse");
    await pass(5 * minute);
    expect(await ask(3)).toBe("resend");
  });

  test("requests above an address's limit add no counters", async () => {
    await allowed(
      1_000,
      () => here,
      (n) => `${n}@example.com`,
    );
    const { rows } = await stand.admin.query("select count(*)::int as count from auth.rate_limits");
    // The address, and for each of its 30 mails a pair and a recipient.
    expect(rows).toEqual([{ count: 61 }]);
  });
});
