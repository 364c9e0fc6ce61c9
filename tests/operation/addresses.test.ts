import { afterAll, beforeEach, expect, test } from "vitest";
import { itemPath } from "../../common/data/addresses.ts";
import { articles } from "../../common/kinds/articles.ts";
import { KINDS, kindSlug } from "../../common/kinds/index.ts";
import { HOSTILE_TEXT } from "../support/hostile-text.ts";
import { readList } from "../support/read-list.ts";
import { SITE, startTestApp } from "../support/test-app.ts";

const UNKNOWN_ID = "00000000-0000-4000-8000-00000000dead";

const site = await startTestApp();
const { ask, eventually } = site;
afterAll(() => site.stop());
beforeEach(() => site.admin.query("truncate auth.users cascade"));

const addArticle = (author: string, row: Record<string, unknown> = {}) =>
  site.add("articles", { author_id: author, title: "Title", content: "Text", published: true, ...row });

const jsonLdOf = (html: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? "null");

test("when two members share a username, the profile URL of the first one to have it contains the username, and the other's contains their id", async () => {
  const oldest = await site.addMember({
    username: "ada",
    full_name: "Ada the First",
    created_at: "2020-01-01",
  });
  const younger = await site.addMember({
    username: "ada",
    full_name: "Ada the Second",
    created_at: "2021-01-01",
  });
  expect(await eventually("/profile/ada")).toContain("Ada the First");
  const redirect = await ask(`/profile/${oldest}`);
  expect([redirect.status, redirect.headers.get("Location"), redirect.headers.get("Cache-Control")]).toEqual([
    307,
    "/profile/ada",
    "no-store",
  ]);
  expect(await eventually(`/profile/${younger}`)).toContain("Ada the Second");
  const sitemap = await eventually("/sitemaps/people-1.xml");
  expect(sitemap).toContain(`<loc>${SITE}/profile/ada</loc>`);
  expect(sitemap).toContain(`<loc>${SITE}/profile/${younger}</loc>`);
  expect(sitemap).not.toContain(oldest);
});

test("lists and search results link to each author's own profile URL, not to one that redirects", async () => {
  const oldest = await site.addMember({ username: "ada", created_at: "2020-01-01" });
  const younger = await site.addMember({ username: "ada", created_at: "2021-01-01" });
  await addArticle(oldest);
  await addArticle(younger);
  for (const path of ["/articles", "/articles?q=title", "/"]) {
    const page = await eventually(path);
    expect(page).toContain('href="/profile/ada"');
    expect(page).toContain(`href="/profile/${younger}"`);
    expect(page).not.toContain(`/profile/${oldest}`);
  }
});

test("in a list of articles by 150 authors, every author's link contains their username", async () => {
  const usernames = Array.from({ length: 150 }, (_, number) => `name-${number}`);
  await Promise.all(usernames.map(async (username) => addArticle(await site.addMember({ username }))));
  const pages = await readList(ask, "/articles?sort=asc");
  const names = [...pages.matchAll(/href="\/profile\/([^"]+)"/g)].map(([, name]) => name);
  expect(new Set(names)).toEqual(new Set(usernames));
});

test.each([
  "..",
  ".",
  "a/b",
  "x.data",
  "feed.xml",
  "x.json",
  "x.vcf",
  "x.md",
  UNKNOWN_ID,
  "a b",
  "müller",
  "",
])("the profile URL of a member whose username is %j contains their id instead", async (username) => {
  const id = await site.addMember({ username, full_name: "Somebody" });
  expect(await eventually(`/profile/${id}`)).toContain("Somebody");
  expect((await ask(`/profile/${encodeURIComponent(username)}x`)).status).toBe(404);
});

test("a person without a name, skills or articles has a page but is not in the sitemap", async () => {
  const id = await site.addMember();
  const page = await eventually(`/profile/${id}`);
  for (const text of ["Unnamed member", "No articles published yet."]) expect(page).toContain(text);
  expect(page).not.toContain("<table");
  expect((await ask("/sitemaps/people-1.xml")).status).toBe(404);
});

test.each(KINDS.map(kindSlug))("an unknown item under /%s returns 404", async (list) => {
  for (const id of [UNKNOWN_ID, "x", "..%2f", "__proto__"]) {
    expect((await ask(`/${list}/${id}`)).status, id).toBe(404);
  }
});

test("an article's id returns 404 under /useful-links and /profile, and so do a deleted article's page and social card", async () => {
  const id = await addArticle(await site.addMember({ username: "ada" }));
  await eventually(`/articles/${id}`);
  expect((await ask(`/useful-links/${id}`)).status).toBe(404);
  expect((await ask(`/profile/${id}`)).status).toBe(404);
  await site.admin.query("delete from public.articles");
  await eventually(`/articles/${id}`, 404);
  expect((await ask(`/cards/articles/${id}.png`)).status).toBe(404);
});

test("an unpublished article has a page marked noindex, but no social card, and is missing from feeds, profiles and sitemaps", async () => {
  const author = await site.addMember({ username: "ada" });
  const id = await addArticle(author, { title: "Secret draft", published: false });
  const page = await eventually(`/articles/${id}`);
  expect(page).toContain('<meta name="robots" content="noindex"/>');
  expect(page).toContain(`${SITE}/cards/site.png`);
  for (const path of ["/feed.xml", "/profile/ada/feed.xml", "/profile/ada"]) {
    expect(await eventually(path), path).not.toContain(id);
  }
  expect((await ask("/sitemaps/articles-1.xml")).status).toBe(404);
  expect((await ask(`/cards/articles/${id}.png`)).status).toBe(404);
});

test("hostile text in an article is escaped in its page, JSON-LD and feed", async () => {
  const author = await site.addMember({ username: "ada", full_name: HOSTILE_TEXT });
  const id = await addArticle(author, { title: HOSTILE_TEXT, content: `First *words*.\n\n${HOSTILE_TEXT}` });
  const page = await eventually(`/articles/${id}`);
  expect(page).not.toContain('<script>alert("1")');
  const url = SITE + itemPath(articles, { id, title: HOSTILE_TEXT });
  expect(jsonLdOf(page)).toMatchObject({
    headline: HOSTILE_TEXT,
    author: { "@type": "Person", name: HOSTILE_TEXT, url: `${SITE}/profile/ada` },
  });
  expect(page).toContain(`<link rel="canonical" href="${url}"/>`);
  expect(page.match(/<h1/g)).toHaveLength(1);
  await expect.poll(async () => (await ask("/feed.xml")).text()).toContain(`<id>urn:uuid:${id}</id>`);
  expect(await eventually("/feed.xml")).not.toContain("<script");
});

test("a feed's links are absolute and begin with the site's URL, and the feed supports conditional requests", async () => {
  const id = await addArticle(await site.addMember({ username: "ada" }), { content: "[link](/articles)" });
  const feed = async () => (await ask("/feed.xml")).text();
  await expect.poll(feed).toContain(`-${id.slice(-12)}"`);
  // The feed contains plain text until the text is rendered.
  await expect.poll(feed).toContain(`&lt;a href=&quot;${SITE}/articles&quot;`);
  const text = await feed();
  expect(text).not.toContain("techfolio.test/");
  const { headers } = await ask("/feed.xml");
  const policy = headers.get("Content-Security-Policy");
  expect(policy).toMatch(/^default-src 'none'; style-src 'self';/);
  const known = await ask("/feed.xml", { headers: { "If-None-Match": headers.get("ETag") ?? "" } });
  expect([known.status, known.headers.get("Content-Security-Policy")]).toEqual([304, policy]);
  expect([headers.get("Content-Type"), headers.get("Vary")]).toEqual([
    "application/atom+xml; charset=utf-8",
    expect.stringContaining("Accept"),
  ]);
  const inBrowser = await ask("/feed.xml", { headers: { Accept: "text/html,application/xml;q=0.9" } });
  expect(inBrowser.headers.get("Content-Type")).toBe("application/xml; charset=utf-8");
  expect((await ask("/feed.css")).headers.get("Content-Type")).toContain("text/css");
});

test("a profile page shows the person's experience, and its JSON-LD contains their profile's fields and skills", async () => {
  const id = await site.addMember({
    username: "ada",
    full_name: "Ada Lovelace",
    current_title: "Analyst",
    bio: HOSTILE_TEXT,
    years_experience: 12,
    linkedin_url: "https://linkedin.example/ada",
  });
  await site.admin.query(
    "insert into public.skills (profile_id, category, name, proficiency) values ($1, 'sql', 'Joins', 5)",
    [id],
  );
  const page = await eventually("/profile/ada");
  expect(page).toContain("12+ years in analyst");
  expect(jsonLdOf(page)).toMatchObject({
    "@type": "ProfilePage",
    url: `${SITE}/profile/ada`,
    mainEntity: {
      name: "Ada Lovelace",
      jobTitle: "Analyst",
      description: HOSTILE_TEXT,
      sameAs: "https://linkedin.example/ada",
      knowsAbout: ["Joins"],
    },
  });
});

test("later pages of a list are marked 'noindex, follow' and name the first page as their canonical URL", async () => {
  const page = await eventually(`/articles?after=2026-01-01T00:00:00Z~${UNKNOWN_ID}`);
  expect(page).toContain('<meta name="robots" content="noindex, follow"/>');
  expect(page).toContain(`<link rel="canonical" href="${SITE}/articles"/>`);
});

test("search engines index the search page, but not the results of a search", async () => {
  const canonical = `<link rel="canonical" href="${SITE}/search"/>`;
  for (const query of ["", "?kind=people", "?q=+"]) {
    const page = await eventually(`/search${query}`);
    expect(page, query).toContain(canonical);
    expect(page, query).not.toContain('name="robots"');
  }
  for (const query of ["?q=x", "?q=x&kind=people", "?kind=people&q=x&pages=2"]) {
    const page = await eventually(`/search${query}`);
    expect(page, query).toContain(canonical);
    expect(page, query).toContain('<meta name="robots" content="noindex"/>');
  }
});

test("each result of a search has its row's id and links to its own page and to its author's", async () => {
  const id = await site.addMember({ username: "ada", full_name: "Ada Lovelace", company: "Needle & Co" });
  const article = await addArticle(id, { title: "Thread", content: "A **needle** & <b>thread</b>" });
  const draft = await addArticle(id, { title: "Needle draft", published: false });
  const page = await eventually("/search?q=needle");
  expect(page).toContain(`<article id="${article}"`);
  expect(page).toContain(`href="/articles/thread-${article.slice(-12)}"`);
  expect(page).toContain(`<article id="${id}"`);
  expect(page).toContain('href="/profile/ada"');
  expect(page).toContain("<mark>needle</mark>");
  expect(page).not.toContain(draft);
});

test("a username that belongs to another person is not in the links of a search's results", async () => {
  const first = await site.addMember({ username: "taken", full_name: "First Needle" });
  const second = await site.addMember({ username: "taken", full_name: "Second Needle" });
  const page = await eventually("/search?q=second+needle");
  expect(page).toContain(`<article id="${second}"`);
  expect(page).toContain(`href="/profile/${second}"`);
  expect(page).not.toContain(first);
  expect(page).not.toContain('href="/profile/taken"');
});

test("social cards are PNGs 1200 pixels wide, and an unknown person's card returns 404", async () => {
  const id = await site.addMember({ username: "ada", full_name: "Ada" });
  for (const path of ["/cards/site.png", `/cards/people/${id}.png`]) {
    const response = await ask(path);
    expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "image/png"]);
    expect(Buffer.from(await response.arrayBuffer()).readUInt32BE(16)).toBe(1200);
  }
  expect((await ask("/cards/people/x.png")).status).toBe(404);
});

test("a person gets the site's social card if the card's fonts lack letters of their name", async () => {
  const id = await site.addMember({ full_name: "データベース" });
  const bytes = async (path: string) => Buffer.from(await (await ask(path)).arrayBuffer());
  const card = await bytes("/cards/site.png");
  for (let times = 0; times < 2; times++)
    expect((await bytes(`/cards/people/${id}.png`)).equals(card)).toBe(true);
});

test("an article with the creation time -infinity still has a page and appears on every page that lists it", async () => {
  const author = await site.addMember({ username: "ada", featured: true });
  // The trigger would replace this time, but rows that were inserted before the trigger existed may contain it.
  await site.admin.query("alter table public.articles disable trigger keep_identity");
  const id = await addArticle(author, { title: "Old", created_at: "-infinity" });
  await site.admin.query("alter table public.articles enable trigger keep_identity");
  for (const path of ["/", "/articles", "/articles?sort=asc", `/articles/${id}`, "/profile/ada"]) {
    await expect.poll(async () => (await ask(path)).text()).toContain("Old");
  }
});

test("the home page shortens a professional's long biography and list of skills", async () => {
  const bio = `${"Builds things. ".repeat(1_300)}the end`;
  const ada = await site.addMember({ username: "ada", full_name: "Ada", bio, featured: true });
  await site.admin.query(
    `insert into public.skills (profile_id, category, name, proficiency, years_experience)
    select $1, 'sql', repeat('Joins ', 16) || number, 3, 1 from generate_series(1, 200) as number`,
    [ada],
  );
  const home = async () => (await ask("/")).text();
  await expect.poll(home).toContain("Builds things.");
  expect(await home()).toContain("Joins");
  // The page contains 100 skills, whose names take up to 100 characters each, once in its HTML and once in its data.
  expect((await home()).length).toBeLessThan(130_000);
});
