import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createDataClient } from "../../common/data/client.ts";
import { isSlowSearch } from "../../common/data/content-reads.ts";
import { readerOf } from "../../common/data/postgrest-reader.ts";
import { type DataReader, type FunctionCall, ReadError, type TableRead } from "../../common/data/reader.ts";
import { KINDS } from "../../common/kinds/index.ts";
import type { BackendApi } from "../../server/backends/types.ts";
import { loadApplication } from "../../server/pages/application.ts";
import { IN_PROCESS } from "../support/in-process.ts";
import { SITE, startTestApp } from "../support/test-app.ts";

// A site reads its own database directly, and a Supabase project through postgrest-js. The pages are the same only if both
// return the same rows.

/** The tables and functions that the pages have read. */
const compared = new Set<string>();
/** Collected, because pages hide some failed reads. */
const differences: object[] = [];
let hasSearchedSlowly = false;
let readers: { direct: DataReader; overHttp: DataReader };

async function compare<Result>(name: string, run: (reader: DataReader) => Promise<Result>): Promise<Result> {
  compared.add(name);
  const [direct, overHttp] = await Promise.allSettled([run(readers.direct), run(readers.overHttp)]);
  if (!isDeepStrictEqual(direct, overHttp)) differences.push({ name, direct, overHttp });
  if (direct.status === "rejected") throw direct.reason;
  return direct.value;
}

const comparing: DataReader = {
  read: <Row>(read: TableRead) => compare(read.table, (reader) => reader.read<Row>(read)),
  call<Row>(call: FunctionCall) {
    hasSearchedSlowly ||= isSlowSearch(call);
    return compare(call.function, (reader) => reader.call<Row>(call));
  },
};

function startComparing({ data, routes, published: { key } }: BackendApi): DataReader {
  const client = createDataClient(
    { url: "http://backend.test", key },
    async (input, init) => routes.fetch(new Request(input, init), IN_PROCESS),
    false,
  );
  readers = { direct: data, overHttp: readerOf(client) };
  return comparing;
}

const site = await startTestApp({ acceptsReports: true }, startComparing);
afterAll(() => site.stop());
beforeEach(() => void differences.splice(0));

const ada = await site.addMember({ username: "ada", full_name: "Ada", featured: true, bio: "Writes." });
const same = await site.addMember({ username: "ada", full_name: 'A "quoted", \\ name' });
const left = await site.addMember({ username: "left", left_at: new Date().toISOString() });
await site.add("skills", { profile_id: ada, category: "sql", name: "Indexes", proficiency: 5 });
await site.add("skills", { profile_id: ada, category: "aws", name: "S3", proficiency: 2 });
const items: Record<string, string> = {};
for (let count = 0; count < 30; count++) {
  const [owner] = [ada, same, left].slice(count % 3);
  const created_at = new Date(Date.UTC(2026, 0, 1, count)).toISOString();
  const title = `Partial index ${count}`;
  const published = count % 4 > 0;
  const article = { author_id: owner, title, content: `About *${count}* zq`, created_at, published };
  items["articles"] = await site.add("articles", article);
  const link = { profile_id: owner, title, url: "https://a.test/", category: "SQL", created_at };
  items["useful_links"] = await site.add("useful_links", link);
  const sample = { profile_id: owner, title, code_content: "select 1", language: "sql", created_at };
  items["code_samples"] = await site.add("code_samples", sample);
}

const searches = [
  "",
  "?q=index",
  "?q=zq",
  "?author=@ada",
  "?author=ada",
  "?sort=asc&pages=2",
  "?q=nothing+at+all",
];
const lists = KINDS.flatMap(({ path, table }) => [
  ...searches.map((search) => path + search),
  `${path}?around=${items[table]}`,
]);
const PATHS: Record<string, string[]> = {
  "/": ["/"],
  "/people": ["/people", "/people?q=index", "/people?category=sql&sort=name"],
  "/search": [
    "/search?q=index",
    "/search?q=indexx",
    "/search?q=partial+nowhere",
    "/search?q=ada&kind=people",
  ],
  "/profile/:username": ["/profile/ada", "/profile/left", `/profile/${same}`],
  "/profile": ["/profile"],
  "/admin": ["/admin"],
  "/report/:list/:id": [`/report/articles/${items["articles"]}`, `/report/profile/${ada}`],
  // This page reads only its link, and not through the pages' reader.
  "/join/:code": [],
  ...Object.fromEntries(KINDS.map(({ path }) => [path, lists.filter((list) => list.startsWith(path))])),
  ...Object.fromEntries(KINDS.map(({ path, table }) => [`${path}/:id`, [`${path}/${items[table]}`]])),
};
const OTHER_PATHS = [
  "/feed.xml",
  "/profile/ada/feed.xml",
  "/profile/ada.json",
  "/profile/ada.vcf",
  `/articles/${items["articles"]}.md`,
  `/cards/people/${ada}.png`,
  `/cards/articles/${items["articles"]}.png`,
  "/sitemap.xml",
  ...["pages", "people-1", ...KINDS.map(({ path }) => `${path.slice(1)}-1`)].map(
    (name) => `/sitemaps/${name}.xml`,
  ),
];

test("each page, feed and file reads the same rows from the database directly and over HTTP", async () => {
  const { routePaths, searchAt } = await loadApplication();
  expect(Object.keys(PATHS).toSorted()).toEqual(routePaths.toSorted());
  for (const path of [...Object.values(PATHS).flat(), ...OTHER_PATHS]) {
    hasSearchedSlowly = false;
    expect((await site.ask(path)).status, path).toBe(200);
    // The limit on slow searches applies to the page, before it is rendered.
    expect(isSlowSearch(await searchAt(new URL(path, SITE))), path).toBe(hasSearchedSlowly);
  }
  expect((await site.ask("/profile/nobody")).status).toBe(404);
  expect((await site.ask(`/articles/${ada}`)).status).toBe(404);
  expect(differences).toEqual([]);
  const tables = ["profiles", "skills", ...KINDS.map(({ table }) => table)];
  const functions = ["find_item", "search_everything", "search_items", "search_people"];
  expect([...compared].toSorted()).toEqual([...tables, ...functions].toSorted());
});

const all = { table: "profiles", columns: ["id"], order: ["id"] };

test.each<[string, number, TableRead]>([
  ["quotes", 1, { ...all, filters: [{ column: "full_name", test: "eq", value: 'A "quoted", \\ name' }] }],
  [
    "quotes in a group",
    3,
    {
      ...all,
      filters: [
        {
          anyOf: [
            { column: "full_name", test: "neq", value: 'A "quoted", \\ name' },
            { column: "username", test: "in", values: ["ada", "left"] },
            { column: "left_at", test: "is not null" },
          ],
        },
      ],
    },
  ],
  ["an empty list", 0, { ...all, filters: [{ column: "id", test: "in", values: [] }] }],
  ["a part and a count", 1, { ...all, limit: 1, offset: 1, wantsCount: true }],
  ["nulls last", 3, { ...all, order: [{ column: "left_at", descending: true, nullsLast: true }, "id"] }],
  ["nulls first", 3, { ...all, order: [{ column: "left_at", descending: true }, "id"] }],
])("a read with %s returns the same rows directly and over HTTP", async (_name, count, read) => {
  const { rows } = await comparing.read(read);
  expect(rows).toHaveLength(count);
  expect(differences).toEqual([]);
});

test.each<[string, TableRead]>([
  ["an unknown table", { table: "nothing", columns: ["id"] }],
  ["a table that visitors can't read", { table: "versions", columns: ["id"] }],
  ["an unknown column", { table: "profiles", columns: ["nothing"] }],
  ["an invalid value", { ...all, filters: [{ column: "id", test: "eq", value: "1" }] }],
])("a read of %s fails in the same way directly and over HTTP", async (_name, read) => {
  await expect(comparing.read(read)).rejects.toThrow(ReadError);
  expect(differences).toEqual([]);
});
