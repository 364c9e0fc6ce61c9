import { expect, test } from "vitest";
import { createDataClient } from "../../common/data/client.ts";
import { readerOf } from "../../common/data/postgrest-reader.ts";
import type { DataReader, TableRead } from "../../common/data/reader.ts";
import { KINDS } from "../../common/kinds/index.ts";
import type { PageServices } from "../../common/page-services.ts";
import { loadHome } from "./load-home.server.ts";

test("loading the home page sends one request for each kind and four for people, and drops the surplus rows of a backend that ignores limits", async () => {
  let requests = 0;
  const allRows = Array.from({ length: 1_000 }, (_, id) => ({
    id: String(id),
    author_id: String(id),
    name: "Joins",
    content: "",
    profiles: { username: null, full_name: null },
  }));
  const data = readerOf(
    createDataClient({ url: "http://backend.test", key: "key" }, async () => {
      requests += 1;
      return Response.json(allRows);
    }),
  );
  const { professionals, excerpts, titles } = await loadHome({ data } as PageServices);
  const lengths = [professionals, ...Object.values(excerpts), ...Object.values(titles)].map(
    (rows) => rows.length,
  );
  const withExcerpts = KINDS.filter(({ excerptColumn }) => excerptColumn);
  const others = KINDS.filter(({ excerptColumn }) => !excerptColumn);
  expect(lengths).toEqual([3, ...withExcerpts.map(() => 3), ...others.map(() => 10)]);
  expect(requests).toBe(KINDS.length + 4);
});

test("the home page's data has the same order, whichever read finishes first", async () => {
  const loadWithSlowRead = async (slow: string) => {
    const data = readerOf(
      createDataClient({ url: "http://backend.test", key: "key" }, async (input) => {
        const isSlow = String(input instanceof Request ? input.url : input).includes(slow);
        await new Promise((resolve) => setTimeout(resolve, isSlow ? 20 : 0));
        return Response.json([]);
      }),
    );
    return JSON.stringify(await loadHome({ data } as PageServices));
  };
  expect(await loadWithSlowRead("useful_links")).toBe(await loadWithSlowRead("code_samples"));
});

/** Loads the home page from these rows, by table. An error is the failure of a read. */
async function loadFrom(tables: Record<string, object[] | Error>) {
  const failures: unknown[] = [];
  const read = async ({ table }: { table: string }) => {
    const rows = tables[table] ?? [];
    if (rows instanceof Error) throw rows;
    return { rows, count: null };
  };
  const data = { read } as unknown as DataReader;
  const logFailure = (...failure: unknown[]) => void failures.push(failure);
  return { home: await loadHome({ data, logFailure } as unknown as PageServices), failures };
}

const ROW = {
  id: "1",
  author_id: "ada",
  profile_id: "ada",
  title: "Joins",
  content: "x".repeat(200),
  created_at: "2026-01-01T00:00:00Z",
  profiles: { username: "ada", full_name: "Ada" },
};
const ADA = { id: "ada", username: "ada", bio: null };

test("a site without rows is empty, and one with a person or an item of any kind isn't", async () => {
  expect((await loadFrom({})).home.isEmpty).toBe(true);
  for (const table of ["profiles", ...KINDS.map((kind) => kind.table)])
    expect((await loadFrom({ [table]: [table === "profiles" ? ADA : ROW] })).home.isEmpty, table).toBe(false);
});

test.each(["profiles", ...KINDS.map(({ table }) => table)])(
  "if %s can't be read, the error is logged, the other panels are complete, and the site isn't called empty",
  async (table) => {
    const { home, failures } = await loadFrom({ [table]: new Error("The database is down") });
    expect(home.isEmpty).toBe(false);
    const name = table === "profiles" ? "professionals" : table;
    expect(failures).toEqual([[`home.${name}`, new Error("The database is down")]]);
    const others = Object.fromEntries(KINDS.map((kind) => [kind.table, [ROW]]));
    const { excerpts, titles, professionals } = (
      await loadFrom({ profiles: [ADA], ...others, [table]: new Error() })
    ).home;
    const shown = Object.entries({ professionals, ...excerpts, ...titles });
    expect(shown.filter(([, rows]) => rows.length === 0).map(([panel]) => panel)).toEqual([name]);
  },
);

test("the home page has the first 150 characters of an article, its title, time and author, and 1,000 of a bio", async () => {
  const { home } = await loadFrom({ articles: [ROW], profiles: [{ ...ADA, bio: "b".repeat(2_000) }] });
  expect(home.excerpts["articles"]).toEqual([
    {
      id: "1",
      title: "Joins",
      created_at: ROW.created_at,
      profiles: { username: "ada", full_name: "Ada", slug: "ada" },
      excerpt: `${"x".repeat(150)}...`,
    },
  ]);
  expect(home.professionals.map(({ bio }) => bio)).toEqual(["b".repeat(1_000)]);
});

test("the home page asks for the columns that its cards show, of the latest published articles", async () => {
  const reads: TableRead[] = [];
  const read = async (table: TableRead) => {
    reads.push(table);
    return { rows: [], count: null };
  };
  await loadHome({ data: { read } as unknown as DataReader } as PageServices);
  expect(reads.find(({ table }) => table === "articles")).toEqual({
    table: "articles",
    columns: ["id", "author_id", "title", "content", "created_at"],
    withAuthor: true,
    filters: [{ column: "published", test: "eq", value: true }],
    order: [{ column: "created_at", descending: true }, "id"],
    limit: 3,
    offset: 0,
  });
});

test("if all reads of the home page fail, each panel has an empty list", async () => {
  const failed = new Error("The database is down");
  const tables = Object.fromEntries(
    ["profiles", ...KINDS.map(({ table }) => table)].map((name) => [name, failed]),
  );
  const { professionals, excerpts, titles, isEmpty } = (await loadFrom(tables)).home;
  expect([professionals, ...Object.values(excerpts), ...Object.values(titles)]).toEqual(
    Array.from({ length: KINDS.length + 1 }, () => []),
  );
  expect(isEmpty).toBe(false);
});
