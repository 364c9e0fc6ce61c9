import { expect, test } from "vitest";
import type { DataReader, TableRead } from "../../common/data/reader.ts";
import { KINDS } from "../../common/kinds/index.ts";
import { createSitemaps, writeRobots, writeSitemap } from "./sitemaps.ts";

const ID = "3d6785ad-147e-40bd-ab59-cd3aeb847502";

/** The sitemaps of a site with this many rows in each table, and the reads that they sent. */
function sitemapsOf(counts: Record<string, number>, changedAt: Record<string, string> = {}) {
  const reads: TableRead[] = [];
  const read = async (query: TableRead) => {
    reads.push(query);
    const { table, wantsCount } = query;
    const count = counts[table] ?? 0;
    if (wantsCount) return { count, rows: count > 0 ? [{ changedAt: changedAt[table] ?? null }] : [] };
    if ((query.offset ?? 0) >= count) return { count: null, rows: [] };
    return {
      count: null,
      rows: [{ id: ID, title: "Joins", username: "ada", changedAt: "2026-01-02", updated_at: null }],
    };
  };
  const data = { read } as unknown as DataReader;
  return { reads, ...createSitemaps(data, (path) => `https://site.test${path}`) };
}

const addressesIn = (text: string | null) =>
  Array.from((text ?? "").matchAll(/<loc>https:\/\/site\.test(.*?)<\/loc>/g), ([, path]) => path);

test("the index lists as many sitemaps of each kind as their rows fill", async () => {
  const { index } = sitemapsOf({ articles: 1_001, useful_links: 1_000, profiles: 999 });
  expect(addressesIn(await index())).toEqual([
    "/sitemaps/pages.xml",
    "/sitemaps/people-1.xml",
    "/sitemaps/articles-1.xml",
    "/sitemaps/articles-2.xml",
    "/sitemaps/useful-links-1.xml",
  ]);
  expect(addressesIn(await sitemapsOf({ profiles: 1_000 }).index())).toContain("/sitemaps/people-2.xml");
});

test("an overview has the latest date of what it lists, but no date if nothing in it has one", async () => {
  const changes = { articles: "2026-01-02", useful_links: "2026-01-03" };
  const { index, pages } = sitemapsOf({ articles: 1, useful_links: 1 }, changes);
  const line = (name: string, path: string, day: string) =>
    `<${name}><loc>https://site.test${path}</loc><lastmod>${day}</lastmod></${name}>`;
  expect(await index()).toContain(line("sitemap", "/sitemaps/pages.xml", "2026-01-03"));
  expect(await index()).toMatch(/<sitemapindex .*<\/sitemapindex>\n$/s);
  const text = await pages();
  expect(text).toContain(line("url", "/", "2026-01-03"));
  expect(text).toContain(line("url", "/articles", "2026-01-02"));
  expect(addressesIn(text)).toEqual(["/", ...KINDS.map(({ path }) => path), "/people", "/search"]);
  expect(await sitemapsOf({}).pages()).not.toContain("<lastmod>");
});

test("a sitemap lists its own part of the items or people", async () => {
  const { named, reads } = sitemapsOf({ articles: 2_500, profiles: 1 });
  expect(addressesIn(await named("articles-3.xml"))).toEqual(["/articles/joins-cd3aeb847502"]);
  expect(reads.at(-1)).toMatchObject({ table: "articles", offset: 2_000, limit: 1_000 });
  expect(addressesIn(await named("people-1.xml"))).toEqual(["/profile/ada"]);
});

test.each([
  "articles-4.xml",
  "articles-0.xml",
  "articles-01.xml",
  "articles-100000.xml",
  "articles.xml",
  "articles-1.xml.gz",
  "x-articles-1.xml",
  "pages-1.xml",
  "",
])("there is no sitemap named %j", async (name) => {
  expect(await sitemapsOf({ articles: 2_500 }).named(name)).toBeNull();
});

test("a count of more than 100,000 rows is kept, and a smaller one is read again", async () => {
  const { index, reads } = sitemapsOf({ articles: 100_001, useful_links: 100_000 });
  await index();
  await index();
  const readsOf = (table: string) => reads.filter((read) => read.table === table).length;
  expect([readsOf("articles"), readsOf("useful_links")]).toEqual([1, 2]);
});

test("addresses and times are escaped", () => {
  expect(writeSitemap([{ url: "https://site.test/?a&b", changedAt: "<" }, { url: "x" }])).toContain(
    "<url><loc>https://site.test/?a&amp;b</loc><lastmod>&lt;</lastmod></url>\n<url><loc>x</loc></url>\n</urlset>\n",
  );
});

test("robots may read everything except the API", () => {
  expect(writeRobots("https://site.test").split("\n")).toEqual(
    expect.arrayContaining([
      "Disallow: /auth/",
      "Disallow: /rest/",
      "Allow: /",
      "Sitemap: https://site.test/sitemap.xml",
    ]),
  );
});
