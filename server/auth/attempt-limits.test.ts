import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { startTestDatabase, type TestDatabase } from "../../tests/support/database.ts";
import { createMailLimits, createSignInLimits } from "./attempt-limits.ts";
import { databaseCounters, memoryCounters } from "./counters.ts";

const minute = 60_000;
const here = "192.0.2.1";
const there = "192.0.2.2";

async function fail(
  limits: ReturnType<typeof createSignInLimits>,
  times: number,
  email: (n: number) => string,
) {
  for (let n = 0; n < times; n += 1) await limits.failed(here, email(n));
}

describe("limits in memory", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("let an address try again after 5 minutes", async () => {
    const limits = createSignInLimits(memoryCounters);
    await fail(limits, 30, (n) => `${n}@example.com`);
    expect(await limits.wait(here, "new@example.com")).toBe(5 * minute);
    vi.advanceTimersByTime(5 * minute - 1000);
    expect(await limits.wait(here, "new@example.com")).toBe(1000);
    vi.advanceTimersByTime(1000);
    expect(await limits.wait(here, "new@example.com")).toBe(0);
  });

  test("let an address try an e-mail again after 15 minutes", async () => {
    const limits = createSignInLimits(memoryCounters);
    await fail(limits, 10, () => "one@example.com");
    vi.advanceTimersByTime(15 * minute - 1);
    expect(await limits.wait(here, "one@example.com")).toBe(1);
    expect(await limits.wait(here, "two@example.com")).toBe(0);
    expect(await limits.wait(there, "one@example.com")).toBe(0);
    vi.advanceTimersByTime(1);
    expect(await limits.wait(here, "one@example.com")).toBe(0);
  });

  test("do not grow for an address that waits", async () => {
    const limits = createSignInLimits(memoryCounters);
    await fail(limits, 10, () => "one@example.com");
    vi.advanceTimersByTime(10 * minute);
    expect(await limits.failed(here, "one@example.com")).toBe(5 * minute);
    vi.advanceTimersByTime(5 * minute);
    expect(await limits.wait(here, "one@example.com")).toBe(0);
  });

  test("clear an address's count once in its 5 minutes", async () => {
    const limits = createSignInLimits(memoryCounters);
    await fail(limits, 29, (n) => `${n}@example.com`);
    await limits.succeeded(here, "member@example.com");
    await fail(limits, 29, (n) => `${n}@example.com`);
    expect(await limits.wait(here, "new@example.com")).toBe(0);
    await limits.succeeded(here, "member@example.com");
    await fail(limits, 1, () => "last@example.com");
    expect(await limits.wait(here, "new@example.com")).toBeGreaterThan(0);
  });

  test("stop mails at 5 from one address to one e-mail, 30 from it, 20 to one e-mail", async () => {
    const limits = createMailLimits(memoryCounters);
    const allowed = async (times: number, from: (n: number) => string, to: (n: number) => string) => {
      let count = 0;
      for (let n = 0; n < times; n += 1) if (await limits.allows(from(n), to(n))) count += 1;
      return count;
    };
    expect(
      await allowed(
        8,
        () => here,
        () => "one@example.com",
      ),
    ).toBe(5);
    expect(
      await allowed(
        40,
        () => here,
        (n) => `${n}@example.com`,
      ),
    ).toBe(22);
    expect(
      await allowed(
        40,
        (n) => `198.51.100.${n}`,
        () => "one@example.com",
      ),
    ).toBe(15);
    vi.advanceTimersByTime(60 * minute);
    expect(await limits.allows(here, "one@example.com")).toBe(true);
  });
});

test("mails that one address asks for to 200,000 others are counted without growing the memory", async () => {
  const keys = new Set<string>();
  const limits = createMailLimits((name, windowMs) => {
    const counter = memoryCounters(name, windowMs);
    return {
      ...counter,
      add(key) {
        keys.add(`${name} ${key}`);
        return counter.add(key);
      },
    };
  });
  for (let n = 0; n < 200_000; n += 1) await limits.allows(here, `${n}@example.com`);
  // The address, and for each of its 30 mails a pair and a recipient.
  expect(keys.size).toBe(61);
});

test("a counter in memory forgets the keys that it saw least recently, beyond 10,000", async () => {
  const counter = memoryCounters("test", minute);
  for (let n = 0; n < 10_001; n += 1) await counter.add(`key ${n}`);
  expect((await counter.get("key 0")).times).toBe(0);
  expect((await counter.get("key 1")).times).toBe(1);
});

describe("limits in the database", () => {
  let stand: TestDatabase;
  beforeAll(async () => {
    stand = await startTestDatabase();
  });
  afterAll(() => stand.stop());

  test("hold for every process that shares it", async () => {
    const one = createSignInLimits(databaseCounters(stand.database));
    const other = createSignInLimits(databaseCounters(stand.database));
    for (let n = 0; n < 10; n += 1) {
      expect(await (n % 2 ? one : other).failed(here, "shared@example.com")).toBe(0);
    }
    expect(await one.wait(here, "shared@example.com")).toBeGreaterThan(0);
    expect(await other.wait(here, "shared@example.com")).toBeGreaterThan(0);
    expect(await other.failed(here, "shared@example.com")).toBeGreaterThan(0);
    expect(await one.wait(there, "shared@example.com")).toBe(0);
    await other.succeeded(here, "shared@example.com");
    expect(await one.wait(here, "shared@example.com")).toBe(0);
  });

  test("let exactly so many of many failures at once pass", async () => {
    const limits = createSignInLimits(databaseCounters(stand.database));
    const waits = await Promise.all(
      Array.from({ length: 40 }, () => limits.failed(there, "at-once@example.com")),
    );
    expect(waits.filter((wait) => wait === 0)).toHaveLength(10);
  });

  test("keep no e-mail", async () => {
    const { rows } = await stand.admin.query("select string_agg(key, ' ') as keys from auth.rate_limits");
    expect(rows[0].keys).toContain("sign-in");
    expect(rows[0].keys).not.toContain("example.com");
  });
});
