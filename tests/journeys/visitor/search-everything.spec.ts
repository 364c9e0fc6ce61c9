import type { Page } from "@playwright/test";
import { KINDS } from "../../../common/kinds/index.ts";
import { violations } from "../../support/axe.ts";
import { connectAdmin } from "../../support/data-dir.ts";
import { expect, type Site, test } from "../../support/site.ts";
import { cardOf, expectTitles, hydrated, showAll, VIEWPORTS } from "../../support/visiting.ts";

const EMPTY = "Nothing found matching your search criteria.";

const searchField = (page: Page) => page.getByRole("searchbox", { name: "Search", exact: true });
const kindField = (page: Page) => page.getByRole("combobox", { name: "Kind", exact: true });
const counts = (page: Page) => page.getByRole("list", { name: "Results by kind" }).getByRole("listitem");
const cardsOf = (page: Page) => page.getByRole("main").getByRole("article");
const emptyState = (page: Page) => page.getByRole("main").getByText(EMPTY, { exact: true });
const onDay = (number: number) => new Date(Date.UTC(2026, 2, number, 12)).toISOString();

async function addContent(site: Site) {
  const { id } = await site.addMember({
    username: "ada",
    full_name: "Ada Lovelace",
    current_title: "Postgres Engineer",
    company: "Engines & Co",
    bio: "I build an index for everything.",
  });
  for (const name of ["Postgres", "Index design"])
    await site.add("skills", { profile_id: id, name, category: "sql", proficiency: 5 });
  const article = await site.add("articles", {
    author_id: id,
    title: "Faster reads",
    content: "A **partial** index helped our Postgres database.",
    published: true,
    created_at: onDay(1),
  });
  await site.add("articles", { author_id: id, title: "Postgres draft", content: "index", published: false });
  const link = await site.add("useful_links", {
    profile_id: id,
    title: "Postgres index types",
    url: "https://example.com/types",
    description: "All of them",
    category: "Reading",
    created_at: onDay(2),
  });
  const sample = await site.add("code_samples", {
    profile_id: id,
    title: "Create one",
    language: "sql",
    code_content: "create index on postgres_rows (id)",
    created_at: onDay(3),
  });
  return { id, article, link, sample };
}

async function addArticles(site: Site, count: number) {
  const { id } = await site.addMember({ username: "writer" });
  const rows = Array.from({ length: count }, (_, number) => ({
    author_id: id,
    title: `Lesson ${String(number).padStart(2, "0")}`,
    content: "Text",
    published: true,
    created_at: new Date(Date.UTC(2026, 2, 1, 12, 60 - number)).toISOString(),
  }));
  await site.admin.from("articles").insert(rows).throwOnError();
  return rows.map(({ title }) => title);
}

test("the search page is empty without a search, shows results of all kinds while the reader types, and has no accessibility violations on a phone in light mode and on a desktop in dark mode", async ({
  page,
  site,
}) => {
  const { id, article, link, sample } = await addContent(site);
  await page.goto("/search");
  await expect(page).toHaveTitle("Search · Techfolio.pro");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Search");
  await expect(searchField(page)).toHaveAttribute("placeholder", "Search everything...");
  await expect(page.getByRole("main").getByRole("article")).toHaveCount(0);
  await expect(emptyState(page)).toHaveCount(0);
  await hydrated(page);

  await searchField(page).fill("INDEX pöst");
  await expectTitles(page).toEqual(["Postgres index types", "Ada Lovelace", "Create one", "Faster reads"]);
  await expect(page).toHaveURL(`/search?${new URLSearchParams({ q: "INDEX pöst" })}`);
  await expect(page.locator("[aria-live=polite]")).toContainText("4 results");
  await expect(searchField(page)).toBeFocused();

  const found = cardOf(page, article.id);
  await expect(found.getByText("Article", { exact: true })).toBeVisible();
  await expect(found).toContainText("Mar 1, 2026");
  await expect(found.getByRole("link", { name: "Faster reads" })).toHaveAttribute(
    "href",
    `/articles/faster-reads-${article.id.slice(-12)}`,
  );
  await expect(found.getByRole("link", { name: "Ada Lovelace" })).toHaveAttribute("href", "/profile/ada");
  await expect(found.locator("mark")).toHaveText(["index", "Post"]);
  await expect(found).toContainText("A partial index helped our Postgres database.");
  await expect(cardOf(page, link.id).getByText("Link", { exact: true })).toBeVisible();
  await expect(cardOf(page, link.id).locator("mark")).toHaveText(["Post", "index"]);
  await expect(cardOf(page, link.id)).toContainText("All of them · Reading · example.com");
  await expect(cardOf(page, sample.id).getByText("Code sample", { exact: true })).toBeVisible();

  const person = cardOf(page, id);
  await expect(person.getByText("Professional", { exact: true })).toBeVisible();
  await expect(person.locator("time")).toHaveCount(0);
  await expect(person).toContainText("Postgres Engineer · Engines & Co");
  await expect(person.getByRole("list", { name: "Skills of Ada Lovelace" })).toContainText("Postgres");
  await expect(person.getByRole("heading").getByRole("link")).toHaveAttribute("href", "/profile/ada");
  expect(await violations(page)).toEqual([]);
});

test("the kinds filter the results, their numbers stay, and the empty state appears only for a search", async ({
  page,
  site,
}) => {
  const { link } = await addContent(site);
  await page.goto("/search?q=index");
  await hydrated(page);
  const numbers = ["Everything4", "Articles1", "Useful Links1", "Sample Code1", "Professionals1"];
  await expect(counts(page)).toHaveText(numbers);
  await expect(kindField(page).getByRole("option")).toHaveText([
    "Everything",
    ...KINDS.map(({ name }) => name),
    "Professionals",
  ]);

  await kindField(page).selectOption("Useful Links");
  await expectTitles(page).toEqual([link.title]);
  await expect(page).toHaveURL("/search?q=index&kind=useful-links");
  await expect(counts(page)).toHaveText(numbers);

  await counts(page).getByRole("link", { name: "Professionals" }).click();
  await expectTitles(page).toEqual(["Ada Lovelace"]);
  await expect(kindField(page)).toHaveValue("people");
  await expect(page).toHaveURL("/search?q=index&kind=people");
  await page.goBack();
  await expectTitles(page).toEqual([link.title]);
  await expect(kindField(page)).toHaveValue("useful-links");
  await page.goBack();
  await expect(page).toHaveURL("/search?q=index");
  await expect(cardsOf(page)).toHaveCount(4);
  await expect(kindField(page)).toHaveValue("all");
  await page.goForward();
  await expectTitles(page).toEqual([link.title]);

  await searchField(page).fill("nothing like this");
  await expect(emptyState(page)).toBeVisible();
  await expect(page.locator("[aria-live=polite]")).toContainText(EMPTY);
  await expect(counts(page)).toHaveCount(0);
  await searchField(page).fill("");
  await expect(emptyState(page)).toHaveCount(0);
  await expect(page).toHaveURL("/search?kind=useful-links");
});

const PARTIAL = "Results with some of these words";

test("if nothing has all words, the empty state is above the results with some of them, and a similar word above both", async ({
  page,
  site,
}) => {
  const { article, link } = await addContent(site);
  await page.goto("/search");
  await hydrated(page);
  await searchField(page).fill("partial types zebra");
  const region = page.getByRole("region", { name: PARTIAL });
  await expect(region.getByRole("article")).toHaveCount(2);
  await expect(region).toContainText("Nothing has all of these words.");
  await expect(cardOf(page, article.id).locator("mark")).toHaveText(["partial"]);
  await expect(cardOf(page, link.id)).toBeVisible();
  await expect(emptyState(page)).toBeVisible();
  await expect(counts(page)).toHaveCount(0);
  await expect(page.locator("[aria-live=polite]")).toContainText(
    "Nothing has all of these words. 2 results with some of these words.",
  );
  expect(await violations(page)).toEqual([]);

  await searchField(page).fill("partial postgras");
  const suggestion = page.getByRole("link", { name: "Did you mean partial postgres?", exact: true });
  await expect(suggestion).toBeVisible();
  const heights = await Promise.all(
    [suggestion, emptyState(page), region].map(async (part) => (await part.boundingBox())?.y ?? 0),
  );
  expect(heights).toEqual(heights.toSorted((a, b) => a - b));
  for (const viewport of VIEWPORTS) {
    await page.setViewportSize(viewport);
    const fits = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    expect(fits, `${viewport.width} pixels`).toBe(true);
  }
  await suggestion.focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/search?q=partial+postgres");
  await expectTitles(page).toEqual(["Faster reads"]);
  await expect(searchField(page)).toHaveValue("partial postgres");
  await expect(searchField(page)).toBeFocused();
  await expect(region).toHaveCount(0);

  await searchField(page).fill("zebra quagga");
  await expect(emptyState(page)).toBeVisible();
  await expect(region).toHaveCount(0);
});

test.describe("a search that reads only the newest 20 items", () => {
  const setBudget = async (site: Site, rows: number) => {
    const admin = await connectAdmin(site.dataDir);
    await admin.query(
      `create or replace function private.max_rows_of_search() returns integer
         language sql immutable parallel safe set search_path = '' as 'select ${rows}';
       create or replace function private.max_matches_of_search() returns integer
         language sql immutable parallel safe set search_path = '' as 'select ${rows / 10}'`,
    );
    await admin.end();
  };
  test.beforeEach(({ site }) => setBudget(site, 20));
  test.afterEach(({ site }) => setBudget(site, 20_000));

  const addOldLessons = async (site: Site) => {
    const { id } = await site.addMember({ username: "writer" });
    const rows = Array.from({ length: 50 }, (_, number) => ({
      author_id: id,
      title: number < 45 ? `News ${number}` : `Lesson ${number}`,
      content: "Some sequential scan",
      published: true,
      created_at: new Date(Date.UTC(2026, 2, 1, 12, 60 - number)).toISOString(),
    }));
    await site.admin.from("articles").insert(rows).throwOnError();
  };
  const LESSONS = [45, 46, 47, 48, 49].map((number) => `Lesson ${number}`);
  const older = (page: Page) => page.getByRole("link", { name: "Search older items", exact: true });

  test("shows how far back it looked, and continues by keyboard until nothing older is left", async ({
    page,
    site,
  }) => {
    await addOldLessons(site);
    await page.goto("/search");
    await hydrated(page);
    await searchField(page).fill('"lesson" "sequential scan"');
    await expect(page.getByText("This search has looked back to Mar 1, 2026.")).toBeVisible();
    await expect(emptyState(page)).toHaveCount(0);
    await expect(page.locator("[aria-live=polite]")).toContainText("Nothing found so far");
    await older(page).focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/after=/);
    await expect(page.getByRole("link", { name: "Start of the List" })).toBeFocused();
    await older(page).focus();
    await page.keyboard.press("Enter");
    await expectTitles(page).toEqual(LESSONS);
    await expect(page.getByRole("heading", { name: "Lesson 45" })).toBeFocused();
    await expect(page.locator("[aria-live=polite]")).toContainText("5 results");
    await expect(older(page)).toHaveCount(0);
    await page.goBack();
    await page.goBack();
    await expect(page.getByText("This search has looked back to")).toBeVisible();
  });

  test.describe("the search over everything without scripts", () => {
    test.use({ javaScriptEnabled: false });

    test("links continue the search over everything", async ({ page, site }) => {
      await addOldLessons(site);
      await page.goto(`/search?${new URLSearchParams({ q: '"lesson" "sequential scan"' })}`);
      await older(page).click();
      await older(page).click();
      await expectTitles(page).toEqual(LESSONS);
      await expect(older(page)).toHaveCount(0);
    });
  });
});

test.describe("the search page without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the home page's search box, the kinds and paging work without scripts", async ({ page, site }) => {
    const titles = await addArticles(site, 30);
    await page.goto("/");
    await searchField(page).fill("lesson");
    await searchField(page).press("Enter");
    await expect(page).toHaveURL("/search?q=lesson");
    await expectTitles(page).toEqual(titles.slice(0, 24));
    await page.getByRole("link", { name: "Show More" }).click();
    await expectTitles(page).toEqual(titles.slice(24));
    await expect(page.getByRole("link", { name: "Show More" })).toHaveCount(0);
    await page.getByRole("link", { name: "Start of the List" }).click();
    await expectTitles(page).toEqual(titles.slice(0, 24));

    await kindField(page).selectOption("Professionals");
    await page.getByRole("button", { name: "Apply" }).click();
    await expect(emptyState(page)).toBeVisible();
    await counts(page).getByRole("link", { name: "Articles" }).click();
    await expectTitles(page).toEqual(titles.slice(0, 24));
  });
});

test("on a wide screen, more results load as the reader scrolls, up to the last page, and Back restores them", async ({
  page,
  site,
}) => {
  const titles = await addArticles(site, 60);
  await page.setViewportSize(VIEWPORTS[3]);
  await page.goto("/search");
  await hydrated(page);
  await searchField(page).fill("lesson");
  await expect(cardsOf(page)).not.toHaveCount(0);
  await showAll(page, 60);
  await expectTitles(page).toEqual(titles);
  await expect(page.getByRole("link", { name: "Show More" })).toHaveCount(0);
  const link = page.getByRole("link", { name: "Lesson 50" });
  await link.click();
  await expect(page.getByRole("heading", { level: 1, name: "Lesson 50" })).toBeVisible();
  await page.goBack();
  await expectTitles(page).toEqual(titles);
  await expect(link).toBeInViewport();
  await expect(searchField(page)).toHaveValue("lesson");
});

test("hostile texts add no HTML to the results and don't make them wider than the window", async ({
  page,
  site,
}) => {
  const hostile = `needle <img src=x onerror="alert(1)"><mark>x</mark>"'&amp;\u202e${"W".repeat(250)}`;
  const { id } = await site.addMember({
    username: "hostile",
    full_name: hostile,
    current_title: hostile,
    company: hostile,
    bio: hostile,
  });
  await site.add("skills", { profile_id: id, name: hostile.slice(0, 100), category: "aws", proficiency: 1 });
  await site.add("articles", { author_id: id, title: hostile, content: hostile, published: true });
  await page.goto("/search?q=needle");
  for (const viewport of VIEWPORTS) {
    await page.setViewportSize(viewport);
    const fits = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    expect(fits, `${viewport.width} pixels`).toBe(true);
  }
  await expect(page.locator("main img[src=x]")).toHaveCount(0);
  await expect(cardsOf(page)).toHaveCount(2);
  for (const text of ['"needle <img', "<img src=x>", "-- ' \" \\ % _ & | ! ( ) :* needle"]) {
    const response = await page.request.get(`/search?${new URLSearchParams({ q: text })}`);
    expect(response.status(), text).toBe(200);
    expect(await response.text(), text).not.toMatch(/<img src=x|<mark>x/);
  }
});

test("the / key focuses a page's search box, or opens the search and focuses its box, except while a dialog is open", async ({
  page,
  site,
}) => {
  const { article } = await addContent(site);
  for (const path of ["/", "/articles", "/search"]) {
    await page.goto(path);
    await hydrated(page);
    await page.keyboard.press("/");
    await expect(searchField(page), path).toBeFocused();
    await expect(searchField(page), path).toHaveValue("");
    await page.keyboard.type("a/b");
    await expect(searchField(page), path).toHaveValue("a/b");
  }
  await page.goto(`/articles/${article.id}`);
  await hydrated(page);
  for (const modifier of ["Control", "Alt", "Meta"]) await page.keyboard.press(`${modifier}+/`);
  await expect(page).toHaveURL(`/articles/${article.id}`);
  await page.keyboard.press("/");
  await expect(page).toHaveURL("/search");
  await expect(searchField(page)).toBeFocused();
  await page.keyboard.type("partial");
  await expectTitles(page).toEqual([article.title]);
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(article.title);

  await test.step("but not while a dialog is open", async () => {
    await page.goForward();
    await expectTitles(page).toEqual([article.title]);
    await page.evaluate(() => {
      const dialog = document.createElement("dialog");
      document.body.append(dialog);
      dialog.showModal();
    });
    await page.keyboard.press("/");
    await expect(searchField(page)).not.toBeFocused();
  });
});

test("each list and the footer link to the search over everything and to the professionals, and an empty list to the same search", async ({
  page,
  site,
}) => {
  const { link } = await addContent(site);
  const main = page.getByRole("main");
  const read = async (path: string) => (await page.request.get(path)).text();
  for (const path of [...KINDS.map((kind) => kind.path), "/people"]) {
    const html = await read(path);
    const [content = ""] = /<main.*<\/main>/s.exec(html) ?? [];
    expect(content, path).toMatch(/<a [^>]*href="\/search"[^>]*>Search the whole site</);
    const people = content.match(/<a [^>]*href="\/people"[^>]*>Professionals</g) ?? [];
    expect(people, path).toHaveLength(path === "/people" ? 0 : 1);
    const [more = ""] = /<(\w+) [^>]*aria-label="Find more".*?<\/\1>/s.exec(html) ?? [];
    expect(more, path).toMatch(/<a [^>]*href="\/search"[^>]*>Search</);
    expect(more, path).toMatch(/<a [^>]*href="\/people"[^>]*>Professionals</);
  }
  const people = await read("/people?q=types");
  expect(people).toContain("No professionals found matching your search criteria.");
  expect(people).toMatch(/href="\/search\?q=types"[^>]*>Search everything for &quot;types&quot;</);
  expect(people).toMatch(/href="\/people"[^>]*>Clear Search</);

  await page.goto("/articles");
  await hydrated(page);
  await test.step("a list's link continues the search", async () => {
    await searchField(page).fill("types");
    await expect(page).toHaveURL("/articles?q=types");
    await main.getByRole("link", { name: "Search the whole site" }).click();
    await expect(page).toHaveURL("/search?q=types");
    await expectTitles(page).toEqual([link.title]);
    await page.goBack();
  });
  await test.step("an empty list links to the same search, and to the list without a search", async () => {
    await expect(
      page.getByText("No articles found matching your search criteria.", { exact: true }),
    ).toBeVisible();
    await page.getByRole("link", { name: 'Search everything for "types"', exact: true }).click();
    await expect(page).toHaveURL("/search?q=types");
    await expectTitles(page).toEqual([link.title]);
    await expect(searchField(page)).toHaveValue("types");

    await page.goBack();
    await page.getByRole("link", { name: "Clear Search", exact: true }).click();
    await expect(page).toHaveURL("/articles");
    await expect(cardsOf(page)).not.toHaveCount(0);
    await expect(searchField(page)).toHaveValue("");
    await expect(searchField(page)).toBeFocused();
  });
  await site.clear();
  const empty = await read("/articles");
  expect(empty).toContain("No articles found matching your search criteria.");
  expect(empty).not.toMatch(/>(Search everything for|Clear Search)/);
});
