import { afterAll, expect, test, vi } from "vitest";
import { createApp } from "../../server/app.ts";
import { serveBuiltIn } from "../../server/backends/built-in.ts";
import { readSettings } from "../../server/config/settings.ts";
import type { Database } from "../../server/postgres/database.ts";
import { makeMember, startTestDatabase } from "../support/database.ts";

let transactions = 0;
let underWay = 0;

const stand = await startTestDatabase();
const counting: Database = {
  ...stand.database,
  transaction: (...asked) => {
    transactions++;
    underWay++;
    const answer = stand.database.transaction(...asked);
    const end = () => underWay--;
    answer.then(end, end);
    return answer;
  },
  read: (caller, statement) => {
    transactions++;
    return stand.database.read(caller, statement);
  },
};
const { keys, log } = stand;
const settings = readSettings({});
const backend = serveBuiltIn({ settings, keys, database: counting, log, print: () => undefined });
const app = await createApp(settings, backend, log);
// A site cleans up as it starts.
await vi.waitUntil(() => underWay === 0, 10_000);
afterAll(() => stand.stop());

async function fill(size: number): Promise<void> {
  const { admin } = stand;
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

async function transactionsOf(address: string): Promise<number> {
  const before = transactions;
  const answer = await app.fetch(new Request(address));
  expect(answer.status, address).toBe(200);
  await answer.text();
  return transactions - before;
}

/** Calls 4, 5, 7 and 8 of specification §7, and call 6 for each of three professionals. */
const HOME = 7;

test.each([
  // The site's title is another on the second, so that none of its pages is in the cache.
  [20, "http://community.test"],
  [3_000, "http://techfolio.test"],
])("a page asks the database a fixed number of times, with %d rows of each kind", async (size, site) => {
  await fill(size);
  expect(await transactionsOf(`${site}/`)).toBe(HOME);
  for (const path of ["/articles", "/useful-links", "/sample-code"]) {
    expect(await transactionsOf(`${site}${path}`), path).toBe(1);
    const searched = await transactionsOf(`${site}${path}?q=${size}&author=a`);
    expect(searched, path).toBeGreaterThan(0);
    expect(searched, path).toBeLessThanOrEqual(4);
  }
});

test("a page asks once more for the addresses of its authors, and the home page for those of its professionals", async () => {
  await fill(20);
  await stand.admin.query("update public.profiles set username = 'name' || id");
  const site = "http://named.test";
  expect(await transactionsOf(`${site}/`)).toBe(HOME + 2);
  // Not a page that an earlier test may have left in the cache.
  expect(await transactionsOf(`${site}/articles?sort=asc`)).toBe(2);
});

test("a page that is kept asks the database nothing", async () => {
  await fill(5);
  const address = "http://community.test/articles?q=kept";
  await transactionsOf(address);
  await expect.poll(() => transactionsOf(address)).toBe(0);
});
