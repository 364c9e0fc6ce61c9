import { EventEmitter } from "node:events";
import { afterAll, expect, test, vi } from "vitest";
import { KINDS } from "../../common/kinds/index.ts";
import { createApp } from "../../server/app.ts";
import { serveBuiltIn } from "../../server/backends/built-in.ts";
import type { BackendEvents } from "../../server/backends/types.ts";
import { readSettings } from "../../server/config/settings.ts";
import type { Database } from "../../server/postgres/database.ts";
import { makeMember, startTestDatabase } from "../support/database.ts";
import { IN_PROCESS } from "../support/in-process.ts";

let transactions = 0;
let inFlight = 0;
let readinessChecks = 0;

const testDatabase = await startTestDatabase();
const countingDatabase: Database = {
  ...testDatabase.database,
  transaction: (...args) => {
    transactions++;
    inFlight++;
    const result = testDatabase.database.transaction(...args);
    const end = () => inFlight--;
    result.then(end, end);
    return result;
  },
  ready: () => {
    readinessChecks++;
    return testDatabase.database.ready();
  },
  read: (caller, statement) => {
    transactions++;
    return testDatabase.database.read(caller, statement);
  },
};
const { keys, log } = testDatabase;
const settings = readSettings({});
const events: BackendEvents = new EventEmitter();
const print = () => undefined;
const api = await serveBuiltIn({ settings, keys, database: countingDatabase, events, log, print });
const app = await createApp(settings, api, events, log);
// Wait for the cleanup at startup, so that its transactions are not counted.
await vi.waitUntil(() => inFlight === 0, 10_000);
afterAll(() => testDatabase.stop());

async function fill(size: number): Promise<void> {
  const { admin } = testDatabase;
  await admin.query("truncate auth.users cascade");
  const ids = await Promise.all([makeMember(admin), makeMember(admin), makeMember(admin)]);
  await admin.query("update public.profiles set featured = true, years_experience = 3");
  const owner = "($1::uuid[])[1 + n % 3]";
  await admin.query(
    `insert into public.articles (author_id, title, content, published)
     select ${owner}, 'Article ' || n, 'Text ' || n, true from generate_series(1, $2::int) as n`,
    [ids, size],
  );
  await admin.query(
    `insert into public.useful_links (profile_id, title, url, category)
     select ${owner}, 'Link ' || n, 'https://example.com', 'SQL' from generate_series(1, $2::int) as n`,
    [ids, size],
  );
  await admin.query(
    `insert into public.code_samples (profile_id, title, code_content, language)
     select ${owner}, 'Sample ' || n, 'select ' || n, 'sql' from generate_series(1, $2::int) as n`,
    [ids, size],
  );
}

async function transactionsOf(address: string, headers: Record<string, string> = {}): Promise<number> {
  const before = transactions;
  const result = await app.fetch(new Request(address, { headers }), IN_PROCESS);
  expect(result.status, address).toBe(200);
  await result.text();
  return transactions - before;
}

/** One for each kind, one for the professionals, and one for the skills of each of three (specification §7, calls 4 to 8). */
const HOME_REQUESTS = KINDS.length + 4;

test.each([
  // The hosts have different site titles, so the second run gets no pages that the first one cached.
  [20, "http://community.test"],
  [3_000, "http://techfolio.test"],
])(
  "if there are %d rows of each kind, the home page sends one database request for each kind and four more, a list one and a search at most four",
  async (size, site) => {
    await fill(size);
    expect(await transactionsOf(`${site}/`)).toBe(HOME_REQUESTS);
    for (const { path } of KINDS) {
      expect(await transactionsOf(`${site}${path}`), path).toBe(1);
      const searched = await transactionsOf(`${site}${path}?q=${size}&author=a`);
      expect(searched, path).toBeGreaterThan(0);
      expect(searched, path).toBeLessThanOrEqual(4);
    }
  },
);

test("if authors have usernames, a list sends one more database request for their profile URLs, and the home page two", async () => {
  await fill(20);
  await testDatabase.admin.query("update public.profiles set username = 'name' || id");
  const reload = { "Cache-Control": "no-cache" };
  expect(await transactionsOf("http://techfolio.test/", reload)).toBe(HOME_REQUESTS + 2);
  expect(await transactionsOf("http://techfolio.test/articles", reload)).toBe(2);
});

test("a visit to a cached page sends no database request", async () => {
  await fill(5);
  const address = "http://community.test/articles?q=kept";
  await transactionsOf(address);
  await expect.poll(() => transactionsOf(address)).toBe(0);
});

test("any number of requests to /readyz share one database request a second", async () => {
  const start = performance.now();
  const request = () => app.fetch(new Request("http://techfolio.test/readyz"), IN_PROCESS);
  for (let round = 0; round < 5; round++) {
    const responses = await Promise.all(Array.from({ length: 50 }, request));
    expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(200));
  }
  expect(readinessChecks).toBeGreaterThan(0);
  expect(readinessChecks).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - start) / 1_000));
});
