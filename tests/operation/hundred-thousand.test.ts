import { afterAll, beforeAll, expect, test } from "vitest";
import { articles } from "../../app/content/kinds/articles.tsx";
import {
  countMatches,
  findPlace,
  loadListing,
  loadStretch,
  loadWhole,
  renderAhead,
} from "../../app/content/list/load.ts";
import { STRETCH } from "../../app/content/list/stretch.ts";
import { EVERYTHING } from "../../app/content/search.ts";
import { createDataClient } from "../../app/data/client.ts";
import type { PageContext } from "../../app/site.ts";
import { documentBytes } from "../../server/pages/compression.ts";
import { startTestRest, type TestRest } from "../fixtures/rest.ts";

const SIZE = 100_000;

let rest: TestRest;
let context: PageContext;
/** How many rows the data access has sent. */
let rows = 0;

beforeAll(async () => {
  rest = await startTestRest();
  const { id } = await rest.signedIn();
  await rest.admin.query("update public.profiles set full_name = 'Ada Lovelace' where id = $1", [id]);
  await rest.admin.query(
    `insert into public.articles (author_id, title, content, created_at)
     select $1, 'Number ' || n, 'What was learned on day ' || n || ': ' || md5(n::text) || repeat(' and more', 40),
       timestamptz '2026-01-01' + n * interval '1 minute'
     from generate_series(1, $2::int) n`,
    [id, SIZE],
  );
  await rest.admin.query("analyze public.articles, public.profiles");
  const data = createDataClient(
    { url: "http://techfolio.test", key: rest.keys.anonKey },
    async (input, init) => {
      const response = await rest.app.request(new Request(input, init));
      const body: unknown = await response
        .clone()
        .json()
        .catch(() => []);
      rows += Array.isArray(body) ? body.length : 1;
      return response;
    },
  );
  context = {
    site: { title: "", url: "", backend: { url: "", key: "" } },
    data,
    render: async (jobs) => jobs.map(({ text }) => text),
    logFailure: (_event, error) => {
      throw error;
    },
    isDocument: true,
    documentBytes,
    keepDocument: () => undefined,
    renderedHtml: new Map(),
  };
}, 180_000);

afterAll(() => rest.stop());

async function readBy<T>(work: Promise<T>): Promise<{ result: T; read: number }> {
  const before = rows;
  const result = await work;
  return { result, read: rows - before };
}

test("a document of a hundred thousand articles reads a few of them", async () => {
  const { result, read } = await readBy(loadListing(articles, new URLSearchParams(), context));
  expect(result.cards[0]?.item.title).toBe(`Number ${SIZE}`);
  expect(result.next).not.toBeNull();
  // As many as a document may hold, and one to know that there are more.
  expect(read).toBe(61);
});

test("the list is not sent whole, and found out to be too long by reading little of it", async () => {
  const { result, read } = await readBy(loadWhole(articles, context));
  expect(result).toBeNull();
  expect(read).toBeLessThan(5);
});

test("what everybody wrote, and what one article says alone, is found by reading a stretch", async () => {
  const common = await readBy(
    loadStretch(articles, { ...EVERYTHING, text: "LEARNED", author: "ada" }, {}, context),
  );
  expect(common.result.cards.map(({ item }) => item.title)).toEqual(
    Array.from({ length: STRETCH }, (_, index) => `Number ${SIZE - index}`),
  );
  expect(common.read).toBeLessThan(2 * STRETCH);
  const rare = await readBy(loadStretch(articles, { ...EVERYTHING, text: "on day 77777:" }, {}, context));
  expect(rare.result.cards.map(({ item }) => item.title)).toEqual(["Number 77777"]);
  expect(rare.read).toBeLessThan(STRETCH);
});

test("two letters that one article holds alone are found by index, however many others there are", async () => {
  await rest.admin.query(
    "update public.articles set content = content || ' Jqz' where title = 'Number 4321'",
  );
  const { cards } = (await readBy(loadStretch(articles, { ...EVERYTHING, text: "QZ" }, {}, context))).result;
  expect(cards.map(({ item }) => item.title)).toEqual(["Number 4321"]);
  await rest.admin.query("begin; set local role anon");
  const { rows: plan } = await rest.admin.query<{ "QUERY PLAN": string }>(
    `explain select id from public.articles
     where (title @> '{qz}' or content @> '{qz}') and (title ilike '%qz%' or content ilike '%qz%')
     order by created_at desc nulls last, id limit 13`,
  );
  await rest.admin.query("rollback");
  expect(plan.map((line) => line["QUERY PLAN"]).join("\n")).toContain("articles_pairs_search_idx");
});

test("what the index of pairs finds is not taken to pieces once more", async () => {
  // One article in nine has them in its hexadecimal digits; each would cost as much as saving it.
  const { rows: held } = await rest.admin.query<{ count: number }>(
    "select count(*)::int as count from public.articles where content like '%7e%'",
  );
  const { rows: kept } = await rest.admin.query<{ definition: string }>(
    "select pg_get_functiondef('extensions.letter_pairs'::regproc) as definition",
  );
  await rest.admin.query(
    `create or replace function extensions.letter_pairs(content text) returns text[]
       language plpgsql immutable strict parallel safe set search_path = ''
       as $$ begin raise 'taken to pieces'; end $$`,
  );
  try {
    expect(await countMatches(articles, { ...EVERYTHING, text: "7E" }, context)).toBe(held[0]?.count);
    const { cards } = await loadStretch(articles, { ...EVERYTHING, text: "QZ" }, {}, context);
    expect(cards.map(({ item }) => item.title)).toEqual(["Number 4321"]);
  } finally {
    await rest.admin.query(kept[0]?.definition ?? "");
  }
});

test("what no pattern can say is found by reading a stretch, and nothing is read in vain", async () => {
  await rest.admin.query(
    "update public.articles set content = content || ' 3***4 and Σίσυφος' where title = 'Number 1234'",
  );
  for (const text of ["***", "3**", "σίσυφοσ", "ΣΊΣ", "and*more", "σσσ", "a*y"]) {
    const { result, read } = await readBy(loadStretch(articles, { ...EVERYTHING, text }, {}, context));
    const isThere = !["and*more", "σσσ", "a*y"].includes(text);
    expect(
      result.cards.map(({ item }) => item.title),
      text,
    ).toEqual(isThere ? ["Number 1234"] : []);
    expect(read, text).toBeLessThan(2 * STRETCH);
    expect(await countMatches(articles, { ...EVERYTHING, text }, context), text).toBe(isThere ? 1 : 0);
  }
  const { read } = await readBy(loadStretch(articles, { ...EVERYTHING, author: "***" }, {}, context));
  expect(read).toBeLessThan(2 * STRETCH);
});

test("the texts of the newest items are rendered ahead, up to four million characters", async () => {
  const rendered: string[] = [];
  const render: PageContext["render"] = async (jobs) => {
    rendered.push(...jobs.map(({ text }) => text));
    return jobs.map(() => "x".repeat(10_000));
  };
  const { signal } = new AbortController();
  await renderAhead(articles, { ...context, isDocument: false, render }, signal);
  expect(rendered.length).toBeGreaterThanOrEqual(400);
  expect(rendered.length).toBeLessThan(400 + STRETCH);
  expect(rendered[0]).toContain(`What was learned on day ${SIZE}:`);
  expect(new Set(rendered).size).toBe(rendered.length);

  rendered.length = 0;
  await renderAhead(articles, { ...context, render }, AbortSignal.abort());
  expect(rendered).toEqual([]);
});

test("an article in the middle has its place, and the last one can be jumped to", async () => {
  const search = { ...EVERYTHING, sort: "asc" } as const;
  const { cards } = await loadStretch(articles, search, { offset: 50_000 }, context);
  const id = cards[0]?.item.id ?? "";
  expect(cards[0]?.item.title).toBe("Number 50001");
  expect(await findPlace(articles, search, id, context)).toEqual({ place: 50_000, count: SIZE });
  expect(await countMatches(articles, search, context)).toBe(SIZE);
  const end = await loadStretch(articles, search, { offset: SIZE - 1 }, context);
  expect(end.cards.map(({ item }) => item.title)).toEqual([`Number ${SIZE}`]);
  expect(end.next).toBeNull();
});
