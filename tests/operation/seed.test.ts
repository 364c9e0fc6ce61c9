import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { SKILL_CATEGORIES } from "../../common/data/vocabulary.ts";
import { KINDS } from "../../common/kinds/index.ts";
import { LANGUAGES } from "../../common/kinds/sample-code.ts";
import { renderMarkdown } from "../../common/markdown/markdown.ts";
import { startTestDatabase } from "../support/database.ts";

interface Article {
  title: string;
  content: string;
  published: boolean;
}

const seedFile = path.join(import.meta.dirname, "../../supabase/seed.sql");

const seedSql = await readFile(seedFile, "utf8");
const db = await startTestDatabase();
await db.admin.query(seedSql);
afterAll(() => db.stop());

async function column(query: string): Promise<unknown[]> {
  const result = await db.admin.query({ text: query, rowMode: "array" });
  return result.rows.map((row) => row[0]);
}

async function articles(): Promise<Article[]> {
  const query = "select title, content, published from articles order by created_at desc";
  return (await db.admin.query<Article>(query)).rows;
}

async function counts(): Promise<Record<string, unknown>> {
  const result = await db.admin.query(
    `select (select count(*)::int from auth.users) as accounts,
       (select count(*)::int from auth.identities) as identities,
       (select count(*)::int from profiles) as profiles,
       (select count(*)::int from skills) as skills,
       (select count(*)::int from articles) as articles,
       (select count(*)::int from useful_links) as links,
       (select count(*)::int from code_samples) as samples`,
  );
  return result.rows[0];
}

test("the demo community has 20 articles, 30 links, 24 code samples and at least 12 members", async () => {
  const totals = await counts();
  expect(totals).toMatchObject({ articles: 20, links: 30, samples: 24 });
  expect(totals["profiles"]).toBeGreaterThanOrEqual(12);
  expect(totals).toMatchObject({ accounts: totals["profiles"], identities: totals["profiles"] });
});

test("every demo member has a username and 4 to 9 skills, and only tools may have been used for longer than the member's career", async () => {
  expect(await column("select id from profiles where coalesce(username, '') = ''")).toEqual([]);
  const skills = await column(
    "select count(s.id)::int from profiles p left join skills s on s.profile_id = p.id group by p.id",
  );
  expect(Math.min(...skills.map(Number))).toBeGreaterThanOrEqual(4);
  expect(Math.max(...skills.map(Number))).toBeLessThanOrEqual(9);
  const categories = await column("select distinct category from skills");
  expect(categories.sort()).toEqual(Object.keys(SKILL_CATEGORIES).sort());
  const longerThanCareer = `select s.name from skills s join profiles p on p.id = s.profile_id
    where s.category <> 'tools' and s.years_experience > p.years_experience`;
  expect(await column(longerThanCareer)).toEqual([]);
});

test("five featured demo members have a full name, a biography, a title and distinct years of experience", async () => {
  const years = await column("select years_experience from profiles where featured");
  expect(years).toHaveLength(5);
  expect(new Set(years).size).toBe(5);
  const bare =
    "select id from profiles where featured and (full_name = '' or bio is null or current_title = '')";
  expect(await column(bare)).toEqual([]);
});

test("two or three demo authors have no full name", async () => {
  const nameless = await column(
    `select distinct p.username from profiles p
     where full_name = '' and (exists (select from articles where author_id = p.id)
       or exists (select from useful_links where profile_id = p.id)
       or exists (select from code_samples where profile_id = p.id))`,
  );
  expect(nameless.length).toBeGreaterThanOrEqual(2);
  expect(nameless.length).toBeLessThanOrEqual(3);
});

test("the first demo member is featured and has a biography and three items of each kind", async () => {
  const [shared] = (
    await db.admin.query(
      `select featured, bio <> '' as has_bio,
         (select count(*)::int from articles where author_id = p.id) as articles,
         (select count(*)::int from useful_links where profile_id = p.id) as links,
         (select count(*)::int from code_samples where profile_id = p.id) as samples
       from profiles p
       where id = (select id from auth.users order by created_at, id limit 1)`,
    )
  ).rows;
  expect(shared).toEqual({ featured: true, has_bio: true, articles: 3, links: 3, samples: 3 });
});

test("demo accounts have no password", async () => {
  expect(await column("select distinct encrypted_password from auth.users")).toEqual([""]);
});

test("three demo articles are unpublished, and at least one of them is among the four newest articles", async () => {
  const published = (await articles()).map((article) => article.published);
  expect(published.filter((one) => !one)).toHaveLength(3);
  expect(published.slice(0, 4)).toContain(false);
});

test("required text fields of the demo community are not blank, and titles are unique per kind", async () => {
  const texts = await column(
    `select title from articles union all select content from articles
     union all select title from useful_links union all select category from useful_links
     union all select title from code_samples union all select code_content from code_samples
     union all select name from skills`,
  );
  expect(texts.filter((text) => String(text).trim() === "")).toEqual([]);
  for (const { table } of KINDS) {
    expect(await column(`select title from ${table} group by title having count(*) > 1`)).toEqual([]);
  }
});

test("the ten newest demo samples cover all six languages, and each sample has 8 to 35 lines", async () => {
  const newest = await column("select language from code_samples order by created_at desc limit 10");
  expect([...new Set(newest)].sort()).toEqual(Object.keys(LANGUAGES).sort());
  const lines = await column("select cardinality(string_to_array(code_content, e'\\n')) from code_samples");
  expect(Math.min(...lines.map(Number))).toBeGreaterThanOrEqual(8);
  expect(Math.max(...lines.map(Number))).toBeLessThanOrEqual(35);
});

test("demo links have distinct https URLs, and some have no description", async () => {
  const addresses = (await column("select url from useful_links")).map((url) => new URL(String(url)).href);
  expect(new Set(addresses).size).toBe(30);
  expect(addresses.filter((address) => !address.startsWith("https://"))).toEqual([]);
  const undescribed = await column(
    "select description from useful_links where coalesce(description, '') = ''",
  );
  expect(undescribed).toContain(null);
  expect(undescribed).toContain("");
});

test("demo items of one kind have distinct creation times, none before their authors joined or in the future", async () => {
  for (const { table, ownerColumn: owner } of KINDS) {
    expect(await column(`select 1 from ${table} group by created_at having count(*) > 1`)).toEqual([]);
    const tooOld = `select title from ${table} item join auth.users u on u.id = item.${owner}
      where item.created_at <= u.created_at or item.created_at > now()`;
    expect(await column(tooOld)).toEqual([]);
  }
});

test("demo articles have 900 to 2,000 characters and begin with plain text for the excerpt", async () => {
  for (const { title, content } of await articles()) {
    expect(content.length, title).toBeGreaterThanOrEqual(900);
    expect(content.length, title).toBeLessThanOrEqual(2_000);
    expect(content.slice(0, 150), title).toMatch(/^[A-Z][^#|`*_[\]\n]+$/);
  }
});

test("every table, task, code block and link in the demo articles is rendered", async () => {
  for (const { title, content } of await articles()) {
    const prose = content.replaceAll(/^```[\s\S]*?^```$/gm, "");
    const html = renderMarkdown(content);
    expect(count(html, /<table\b/g), title).toBe(count(prose, /^\|[ |-]*--[ |-]*\|$/gm));
    expect(count(html, /type="checkbox"/g), title).toBe(count(prose, /^- \[[ x]\] /gm));
    expect(count(html, /<pre\b/g), title).toBe(count(content, /^```\w+$/gm));
    expect(count(content, /^```\w+$/gm) * 2, title).toBe(count(content, /^```/gm));
    expect(count(html, /<a [^>]*href="https:\/\/[^"]+"/g), title).toBe(count(prose, /\]\(/g));
  }
});

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

test("loading the demo community again adds nothing and keeps a member's changes", async () => {
  const before = await counts();
  await db.admin.query("update profiles set bio = 'My own words' where username = 'folake'");
  await db.admin.query(seedSql);
  expect(await counts()).toEqual(before);
  expect(await column("select bio from profiles where username = 'folake'")).toEqual(["My own words"]);
});
