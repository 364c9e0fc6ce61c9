import { createHash } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { loadList, RENDERED_PAGE_SIZE } from "../../app/content/list/load-list.server.ts";
import { formatSearch } from "../../app/content/search/search.ts";
import type { DataReader, FunctionCall, TableRead } from "../../common/data/reader.ts";
import { articles } from "../../common/kinds/articles.ts";
import { KINDS } from "../../common/kinds/index.ts";
import type { PageServices } from "../../common/page-services.ts";
import { createFeeds } from "../../server/feeds/feeds.ts";
import { setSiteTitle } from "../../server/pages/site-title.ts";
import type { Render } from "../../server/rendering/renderer.ts";
import { runInProcess } from "../support/operator-command.ts";
import { startTestRest } from "../support/rest.ts";

/** More than the 20,000 rows that a search reads at most. */
const SIZE = 30_000;
const LINKS = 25_000;
/** How many searches find everything in the list. */
const MOST_SEARCHES = 2;

/** The number of rows that the reader has returned. */
let rows = 0;
/** The number of reads. */
let reads = 0;

const rest = await startTestRest();
const { id } = await rest.signedIn();
await rest.admin.query("update public.profiles set full_name = 'Ada Lovelace' where id = $1", [id]);
await addArticles();
await rest.admin.query("analyze public.articles, public.profiles, private.search_documents");
const data: DataReader = {
  async read<Row>(read: TableRead) {
    reads++;
    const result = await rest.reader.read<Row>(read);
    rows += result.rows.length;
    return result;
  },
  async call<Row>(call: FunctionCall) {
    reads++;
    const found = await rest.reader.call<Row & { items?: unknown[] }>(call);
    // public.search_items returns one row with all items of the page.
    rows += found.flatMap((row) => row.items ?? [row]).length;
    return found;
  },
};
const context: PageServices = {
  site: {
    title: "",
    url: "",
    backend: { url: "", key: "" },
    signIn: { password: true, passkeys: false, providers: [] },
    footerLinks: [],
  },
  data,
  render: async (jobs) => jobs.map(({ text }) => text),
  logFailure: (_event, error) => {
    throw error;
  },
};

afterAll(() => rest.stop());

/**
 * Adds the articles as a restore does, in a quarter of the time: it stores the rows without triggers, and creates the
 * search index at the end. It drops the index of the search over everything, because no test here uses that search.
 */
async function addArticles(): Promise<void> {
  const { rows: indexes } = await rest.admin.query<{ indexdef: string }>(
    "select indexdef from pg_indexes where indexname = 'search_documents_listed_idx'",
  );
  await rest.admin.query(
    `begin;
     drop index private.search_documents_words_idx, private.search_documents_listed_idx;
     set local session_replication_role = replica;
     insert into public.articles (author_id, published, title, content, created_at)
       select '${id}', true, 'Number ' || n, 'What was learned on day ' || n || ': ' || md5(n::text) || ' and more',
         timestamptz '2026-01-01' + n * interval '1 minute'
       from generate_series(1, ${SIZE}) n;
     select private.rebuild_derived();
     ${indexes[0]?.indexdef};
     commit`,
  );
}

async function countRows<T>(work: Promise<T>): Promise<{ result: T; read: number }> {
  const before = rows;
  const result = await work;
  return { result, read: rows - before };
}

test("the first page of 30,000 articles reads one row more than it shows", async () => {
  const { result, read } = await countRows(loadList(articles, new URLSearchParams(), context));
  expect(result.list?.cards[0]?.item.title).toBe(`Number ${SIZE}`);
  expect(result.list?.next).toEqual(expect.any(String));
  // The server reads one row more than the page shows, to find out whether there is a next page.
  expect(read).toBe(RENDERED_PAGE_SIZE + 1);
});

/** Follows `Search older items`, as a search does that has reached its budget. */
const titlesOf = async (text: string, author = "") => {
  const query = new URLSearchParams(formatSearch({ text, author, sort: "desc" }));
  const titles: unknown[] = [];
  for (let searches = 1; ; searches++) {
    const { result, read } = await countRows(loadList(articles, query, context));
    expect(read, text).toBeLessThanOrEqual(RENDERED_PAGE_SIZE + 1);
    titles.push(...(result.list?.cards.map(({ item }) => item.title) ?? []));
    const older = result.list?.notes?.older;
    if (!older) return titles;
    expect(searches, text).toBeLessThan(MOST_SEARCHES);
    query.set("after", older.after);
  }
};

test("a search of 30,000 articles reads at most one row more than a page, whether it finds many or one", async () => {
  const newest = Array.from({ length: RENDERED_PAGE_SIZE }, (_, index) => `Number ${SIZE - index}`);
  expect(await titlesOf("LEARNED", "ada")).toEqual(newest);
  expect(await titlesOf("on day 777:")).toEqual(["Number 777"]);
});

test("a search finds rare letter pairs and all forms of the Greek sigma, and treats * and _ as plain text", async () => {
  await rest.admin.query(
    "update public.articles set content = content || ' Jqz' where title = 'Number 4321'",
  );
  expect(await titlesOf("QZ")).toEqual(["Number 4321"]);
  await rest.admin.query(
    "update public.articles set content = content || ' 3***4 and Σίσυφος' where title = 'Number 1234'",
  );
  for (const text of ["***", "3**", "σίσυφοσ", "ΣΊΣ"]) expect(await titlesOf(text)).toEqual(["Number 1234"]);
  for (const text of ["and*more", "σσσ", "a*y", "_"]) expect(await titlesOf(text)).toEqual([]);
  expect(await titlesOf("", "***")).toEqual([]);
});

test("a search for a rare word can use the trigram index", async () => {
  await rest.admin.query("begin; set local enable_seqscan = off");
  const { rows: plan } = await rest.admin.query<{ "QUERY PLAN": string }>(
    "explain select id from private.search_documents where listed like '%xyz%'",
  );
  await rest.admin.query("rollback");
  expect(plan.map((line) => line["QUERY PLAN"]).join("\n")).toContain("search_documents_listed_idx");
});

test("a feed takes six queries, a sitemap one, even the thirtieth, and the sitemap index one for each table", async () => {
  const render: Render = async (jobs) => jobs.map(({ text }) => text);
  const settings = { siteName: "Techfolio", siteDomain: "techfolio" };
  const app = new Hono().use(setSiteTitle(settings));
  app.route("/", createFeeds(data, render, "https://site.test"));
  const readsOf = async (path: string) => {
    const before = reads;
    const response = await app.request(path);
    expect(response.status, path).toBe(200);
    const text = await response.text();
    return { requests: reads - before, entries: text.match(/<(entry|url|sitemap)>/g)?.length };
  };
  expect(await readsOf("/feed.xml")).toEqual({ requests: 6, entries: 50 });
  expect(await readsOf("/sitemaps/articles-1.xml")).toEqual({ requests: 1, entries: 1_000 });
  expect(await readsOf("/sitemaps/articles-30.xml")).toEqual({ requests: 1, entries: 1_000 });
  expect(await readsOf("/sitemaps/people-1.xml")).toEqual({ requests: 1, entries: 1 });
  // One query per kind, and one for people, counts the entries of all their sitemaps.
  expect(await readsOf("/sitemap.xml")).toEqual({ requests: KINDS.length + 1, entries: 32 });
});

test("a list page around the 15,000th article reads fewer than 30 rows", async () => {
  const { rows: middle } = await rest.admin.query<{ id: string }>(
    "select id from public.articles where title = 'Number 15000'",
  );
  const query = new URLSearchParams({ around: middle[0]?.id ?? "" });
  const { result, read } = await countRows(loadList(articles, query, context));
  expect(result.list?.cards.map(({ item }) => item.title)).toEqual(
    Array.from({ length: RENDERED_PAGE_SIZE }, (_, index) => `Number ${15_006 - index}`),
  );
  expect(result.list).toMatchObject({ after: expect.any(String), next: expect.any(String) });
  expect(read).toBeLessThan(30);
});

/** Serves the API on a port, for commands, and returns their settings. */
async function serveCommands() {
  const server = createAdaptorServer({ fetch: rest.app.fetch }) as Server;
  server.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const PORT = String((server.address() as AddressInfo).port);
  return { PORT, AUTH_JWT_SECRET: rest.keys.jwtSecret };
}

test("npm run member -- list counts 55,000 items without reading them", async () => {
  await rest.admin.query(
    `begin;
     set local session_replication_role = replica;
     insert into public.useful_links (profile_id, title, url, category)
       select '${id}', 'Link ' || n, '/', 'SQL' from generate_series(1, ${LINKS}) as n;
     commit`,
  );
  const { output } = await runInProcess("member", ["list", "--json"], await serveCommands());
  expect(JSON.parse(output)).toMatchObject([{ id, articles: SIZE, useful_links: LINKS, code_samples: 0 }]);
  expect(output.length).toBeLessThan(10_000);
});

test("npm run content -- list --search finds the oldest of 30,000 articles, and links that were all added at once", async () => {
  const settings = await serveCommands();
  const search = async (text: string, ...options: string[]) => {
    const { output } = await runInProcess(
      "content",
      ["list", "--json", "--search", text, ...options],
      settings,
    );
    return (JSON.parse(output) as { title: string }[]).map(({ title }) => title);
  };
  expect(await search(`${createHash("md5").update("7").digest("hex")} and`)).toEqual(["Number 7"]);
  expect(await search("zyxwvut")).toEqual([]);
  // All links have the same time, so only their IDs separate the parts that are searched.
  const { rows } = await rest.admin.query<{ title: string }>(
    "select title from public.useful_links where title like '%Link 777%' order by id",
  );
  const titles = rows.map(({ title }) => title);
  expect(titles).toHaveLength(11);
  expect(await search("Link 777", "--type", "useful-links")).toEqual(titles);
  expect(await search("Link 777", "--type", "useful-links", "--limit", "3")).toEqual(titles.slice(0, 3));
});

test("a search for a name that 100 authors share does not read all of their articles", async () => {
  const { admin } = rest;
  await admin.query(
    `insert into auth.users (id, instance_id, aud, role, email, created_at, updated_at)
     select md5('grace ' || n)::uuid, '00000000-0000-0000-0000-000000000000', 'authenticated', 'authenticated',
       'grace' || n || '@example.com', now(), now()
     from generate_series(1, 100) n`,
  );
  await admin.query(
    "update public.profiles set full_name = 'Grace' where full_name is distinct from 'Ada Lovelace'",
  );
  await admin.query(
    `insert into public.articles (author_id, published, title, content, created_at)
     select md5('grace ' || 1 + n % 100)::uuid, true, 'Note ' || n, 'Short', timestamptz '2026-01-01' + n * interval '10 minutes'
     from generate_series(1, 10000) n`,
  );
  await admin.query("analyze public.articles, public.profiles, private.search_documents");
  const newest = Array.from({ length: RENDERED_PAGE_SIZE }, (_, index) => `Note ${10_000 - index}`);
  expect(await titlesOf("", "grace")).toEqual(newest);

  await admin.query("begin; set local role anon");
  const { rows: plan } = await admin.query<{ "QUERY PLAN": [{ Plan: Record<string, number> }] }>(
    "explain (analyze, buffers, format json) select * from public.search_content('articles', '', 'grace')",
  );
  await admin.query("rollback");
  const { "Shared Hit Blocks": hit = 0, "Shared Read Blocks": read = 0 } =
    plan[0]?.["QUERY PLAN"][0].Plan ?? {};
  // Reading all 10,000 articles one at a time would access at least 10,000 blocks.
  expect(hit + read).toBeLessThan(5_000);
});
