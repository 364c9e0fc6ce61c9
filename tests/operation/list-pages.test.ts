import { afterAll, expect, test } from "vitest";
import { loadList, RENDERED_PAGE_SIZE } from "../../app/content/list/load-list.server.ts";
import { newest } from "../../common/data/content-reads.ts";
import { articles } from "../../common/kinds/articles.ts";
import type { PageServices } from "../../common/page-services.ts";
import { startTestRest } from "../support/rest.ts";

const SIZE = 200;

const rest = await startTestRest();
const { id: author } = await rest.signedIn();
// Groups of three articles share a creation time, so that only their ids decide their order on the pages.
const { rows } = await rest.admin.query<{ id: string }>(
  `insert into public.articles (author_id, title, content, created_at)
   select $1, 'Number ' || n, case when n % 2 = 0 then 'even' else 'odd' end,
     timestamptz '2026-01-01' + n / 3 * interval '1 minute'
   from generate_series(1, $2::int) n
   returning id, content, created_at`,
  [author, SIZE],
);
const { rows: even } = await rest.admin.query<{ id: string }>(
  "select id from public.articles where content = 'even' order by created_at, id",
);
const data = rest.reader;
const context: PageServices = {
  site: {
    title: "",
    url: "",
    backend: { url: "", key: "" },
    signIn: { password: true, passkeys: false, providers: [] },
    footerLinks: [],
  },
  data,
  render: async (jobs) => jobs.map(({ text }) => text.slice(0, 100) + text.slice(-40)),
  logFailure: (_event, error) => {
    throw error;
  },
};
afterAll(() => rest.stop());

const expected = even.map(({ id }) => id);

async function load(query: Record<string, string | null> = {}) {
  const parameters = new URLSearchParams({ q: "even", sort: "asc" });
  for (const [name, value] of Object.entries(query)) if (value !== null) parameters.set(name, value);
  const { list } = await loadList(articles, parameters, context);
  if (list.hasFailed) throw new Error("the list could not be loaded");
  return { ...list, ids: list.cards.map(({ item }) => item.id) };
}

test("the pages of a search list each item exactly once, in order", async () => {
  expect(rows).toHaveLength(SIZE);
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof load>> = await load({ after });
    ids.push(...page.ids);
    after = page.next;
  } while (after);
  expect(ids).toEqual(expected);
});

test("a list's URL can request several pages at once", async () => {
  const list = await load({ pages: "3" });
  expect(list.ids).toEqual(expected.slice(0, 3 * RENDERED_PAGE_SIZE));
  expect(list.pageCount).toBe(3);
  expect((await load({ after: list.next })).ids).toEqual(
    expected.slice(3 * RENDERED_PAGE_SIZE, 4 * RENDERED_PAGE_SIZE),
  );
});

test.each(["0", "-1", "many", "1e9", "1000000"])(
  "a list with ?pages=%s shows at most ten pages",
  async (pages) => {
    expect((await load({ pages })).pageCount).toBeLessThanOrEqual(10);
  },
);

test("a list page around an item starts six cards before the item", async () => {
  const { ids, after } = await load({ around: expected[77] ?? "" });
  expect(ids).toEqual(expected.slice(71, 71 + RENDERED_PAGE_SIZE));
  expect(after).not.toBeNull();
});

test.each([
  { around: "" },
  { around: "nothing" },
  { around: "00000000-0000-4000-8000-000000000000" },
  { after: "x" },
  { after: "2026-02-30T00:00:00Z~00000000-0000-4000-8000-000000000000" },
  { after: "'; drop table articles" },
])("a list URL with an invalid cursor or an unknown item shows the first page: %j", async (query) => {
  const { ids, after } = await load(query);
  expect(ids).toEqual(expected.slice(0, RENDERED_PAGE_SIZE));
  expect(after).toBeNull();
});

test("a page shows fewer cards if they have too much HTML, and the next page continues after the last one", async () => {
  const render: PageServices["render"] = async (jobs) => jobs.map(() => "x".repeat(10_000));
  const parameters = new URLSearchParams({ q: "even", sort: "asc" });
  const { list } = await loadList(articles, parameters, { ...context, render });
  expect(list?.cards.map(({ item }) => item.id)).toEqual(expected.slice(0, 2));
  expect((await load({ after: list?.next ?? null })).ids[0]).toBe(expected[2]);
});

test("a list and the query for the newest articles also return articles that together exceed the size limit of one response", async () => {
  const text = "文字と言葉".repeat(100_000);
  await rest.admin.query(
    `insert into public.articles (author_id, title, content, published, created_at)
     select $1, 'Long ' || n, 'short', true, timestamptz '2026-06-01' + n * interval '1 minute'
     from generate_series(1, 13) n`,
    [author],
  );
  // Preparing these texts for searches takes ten times as long as the test, which searches for nothing.
  const client = await rest.admin.connect();
  await client.query("set session_replication_role = replica");
  await client.query("update public.articles set content = $1 where title like 'Long %'", [text]);
  client.release(true);
  const titles = Array.from({ length: 13 }, (_, index) => `Long ${13 - index}`);
  const { list } = await loadList(articles, new URLSearchParams(), context);
  // The page renders only the cards that can fit.
  expect(list?.cards.map(({ item }) => item.title)).toEqual(titles.slice(0, 2));
  const next = await loadList(articles, new URLSearchParams({ after: list?.next ?? "" }), context);
  expect(next.list?.cards[0]?.item.title).toBe(titles[2]);
  const columns = ["id", "title", "content", "created_at"];
  const latest = await newest<{ title: string }>(data, articles, { columns, limit: 20 });
  expect(latest.map(({ title }) => title)).toEqual(titles);
});

test("cards of long articles show the beginning, with the definitions that its links need", async () => {
  const paragraphs = "A paragraph of some words.\n\n".repeat(4_000);
  const definition = "[1]: https://x.test/the-end";
  await rest.admin.query(
    `insert into public.articles (author_id, title, content)
     values ($1, 'Linked', $2), ($1, 'Plain', $3)`,
    [author, `Unlike [even][1].\n\n${paragraphs}${definition}`, `Even so.\n\n${paragraphs}${definition}`],
  );
  const { cards } = await load({ q: "https://x.test/the-end" });
  const shown = cards.map(({ item, html, isCut }) => [item.title, isCut, html?.includes(definition)]);
  expect(shown.toSorted()).toEqual([
    ["Linked", true, true],
    ["Plain", true, false],
  ]);
});
