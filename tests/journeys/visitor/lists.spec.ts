import { ARTICLES, addItem, LINKS } from "../../support/forms.ts";
import { expect, type Site, test } from "../../support/site.ts";
import {
  cardHeading,
  cardOf,
  expectTitles,
  gotoRendered,
  headingsIn,
  hydrated,
  shownTitles,
} from "../../support/visiting.ts";

const onDay = (number: number) => new Date(Date.UTC(2026, 2, number, 12)).toISOString();

const LISTS = [
  {
    path: "/articles",
    heading: "Articles",
    placeholder: "Search articles by title or content...",
    empty: "No articles found matching your search criteria.",
    add: (site: Site, owner: string, title: string, created_at: string) =>
      site.add("articles", { author_id: owner, title, content: "Text.", created_at }),
  },
  {
    path: "/useful-links",
    heading: "Useful Links",
    placeholder: "Search links by title, description, or category...",
    empty: "No links found matching your search criteria.",
    add: (site: Site, owner: string, title: string, created_at: string) =>
      site.add("useful_links", {
        profile_id: owner,
        title,
        url: "https://a.test",
        category: "c",
        created_at,
      }),
  },
  {
    path: "/sample-code",
    heading: "Sample Code",
    placeholder: "Search code samples by title, description, or content...",
    empty: "No code samples found matching your search criteria.",
    add: (site: Site, owner: string, title: string, created_at: string) =>
      site.add("code_samples", {
        profile_id: owner,
        title,
        language: "python",
        code_content: "pass",
        created_at,
      }),
  },
];

test("each list has a search form and states that it is empty, or shows every item, newest or oldest first", async ({
  request,
  site,
}) => {
  const read = async (path: string) => (await request.get(path)).text();
  for (const { path, heading, placeholder, empty } of LISTS) {
    const html = await read(path);
    expect(html).toMatch(new RegExp(`<h1[^>]*>${heading}</h1>`));
    const fields = html.match(/<input type="search"[^>]*>/g) ?? [];
    expect(fields, path).toEqual([
      expect.stringContaining(`aria-label="Search" placeholder="${placeholder}"`),
      expect.stringContaining('aria-label="Search by author" placeholder="Search by author..."'),
    ]);
    const [sort = ""] = html.match(/<select name="sort" aria-label="Sort".*?<\/select>/s) ?? [];
    expect(sort).toMatch(/<option value="desc" selected="">Newest First<.*<option value="asc">Oldest First</);
    expect(sort.match(/<option/g)).toHaveLength(2);
    expect(html).toContain(empty);
  }
  const { id } = await site.addMember({ username: "ada" });
  for (const { path, empty, add } of LISTS) {
    for (const number of [2, 4, 1, 3]) await add(site, id, `Item ${number}`, onDay(number));
    const newest = await read(path);
    expect(headingsIn(newest), path).toEqual(["Item 4", "Item 3", "Item 2", "Item 1"]);
    expect(newest).not.toContain(empty);
    const oldest = await read(`${path}?sort=asc`);
    expect(headingsIn(oldest), path).toEqual(["Item 1", "Item 2", "Item 3", "Item 4"]);
  }
});

test("a visitor sorts a list, and sees no form to create or edit items", async ({ page, site }) => {
  const { id } = await site.addMember({ username: "ada" });
  for (const [number, title] of ["One", "Two"].entries())
    await site.add("useful_links", {
      profile_id: id,
      title,
      url: "https://a.test",
      category: "c",
      created_at: onDay(number + 1),
    });
  await page.goto("/useful-links");
  expect(await shownTitles(page)).toEqual(["Two", "One"]);
  const sort = page.getByRole("combobox", { name: "Sort", exact: true });
  await sort.selectOption("Oldest First");
  await expectTitles(page).toEqual(["One", "Two"]);
  await sort.selectOption("Newest First");
  await expectTitles(page).toEqual(["Two", "One"]);
  await hydrated(page);
  await expect(page.getByRole("heading", { name: "Add New Link" })).toHaveCount(0);
  await expect(page.getByRole("textbox", { name: /title/i })).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^(Edit|Delete)/ })).toHaveCount(0);
});

test("an article's card shows its date and Markdown, a link's card its category and URL, and a sample's card its language and unchanged code, each with its title and member, and unpublished articles are listed as well", async ({
  page,
  site,
}) => {
  const [named, unnamed] = await Promise.all([
    site.addMember({ username: "ada", full_name: "Ada Lovelace" }),
    site.addMember({ username: "grace", full_name: "" }),
  ]);
  await test.step("article cards show the title, author, date and rendered Markdown, and unpublished articles are listed as well", async () => {
    const content = [
      "# Opening",
      "Some **bold** and `code` and [a link](https://docs.python.org).",
      "| a | b |\n| - | - |\n| 1 | 2 |",
      "- [x] done",
      "~~struck~~",
      "```python\ndef f():\n    return 1\n```",
    ].join("\n\n");
    const article = await site.add("articles", {
      author_id: named.id,
      title: "On Engines",
      content,
      published: true,
      created_at: "2026-03-05T12:00:00Z",
    });
    const draft = await site.add("articles", {
      author_id: unnamed.id,
      title: "A draft",
      content: "x",
      published: false,
      created_at: "2025-12-31T12:00:00Z",
    });
    await gotoRendered(page, "/articles");

    const card = cardOf(page, article.id);
    await expect(card.getByRole("heading", { level: 2 })).toHaveText("On Engines");
    await expect(card.getByText("By Ada Lovelace | Mar 5, 2026", { exact: true })).toBeVisible();
    await expect(card.getByRole("heading", { name: "Opening" })).toBeVisible();
    await expect(card.getByText("bold", { exact: true })).toHaveCSS("font-weight", /^[6-9]00$/);
    await expect(card.getByRole("link", { name: "a link" })).toHaveAttribute(
      "href",
      "https://docs.python.org",
    );
    await expect(card.getByRole("cell", { name: "2" })).toBeVisible();
    await expect(card.getByRole("checkbox")).toBeChecked();
    await expect(card.getByText("struck")).toHaveCSS("text-decoration-line", "line-through");
    await expect(card.locator("pre")).toHaveText("def f():\n    return 1\n");
    const other = cardOf(page, draft.id);
    await expect(other.getByText("By grace | Dec 31, 2025", { exact: true })).toBeVisible();
  });
  await test.step("a link's card shows its title, description, category and the member who shared it, and opens its URL in a new tab", async () => {
    const link = await site.add("useful_links", {
      profile_id: named.id,
      title: "Python docs",
      url: "https://docs.python.org/3/",
      description: "All of it.",
      category: "Documentation",
    });
    const bare = await site.add("useful_links", {
      profile_id: (await site.addMember({ username: "mary" })).id,
      title: "Bare",
      url: "https://example.com",
      category: "Other",
    });
    await page.goto("/useful-links");

    const card = cardOf(page, link.id);
    await expect(card.getByRole("heading", { level: 2 })).toHaveText("Python docs");
    await expect(card.getByText("All of it.", { exact: true })).toBeVisible();
    await expect(card.getByText("Documentation", { exact: true })).toBeVisible();
    await expect(card.getByText("Shared by Ada Lovelace", { exact: true })).toBeVisible();
    const open = card.getByRole("link", { name: "Open Python docs", exact: true });
    await expect(open).toHaveAttribute("href", "https://docs.python.org/3/");
    await expect(open).toHaveAttribute("target", "_blank");
    await expect(open).toHaveAttribute("rel", /noopener/);
    const title = card.getByRole("link", { name: "Python docs", exact: true });
    await expect(title).toHaveAttribute("href", "https://docs.python.org/3/");
    await expect(title).toHaveAttribute("rel", /noopener/);
    await expect(cardOf(page, bare.id).getByText("Shared by mary", { exact: true })).toBeVisible();
  });
  await test.step("a sample's card shows its title, description, language, the member who shared it, and its unchanged code", async () => {
    const code = '\tselect "a" -- <b>&amp;</b>\n\n  from t;  \n';
    const rows = ["python", "sql", "javascript", "typescript", "bash", "yaml"].map((language) => ({
      profile_id: named.id,
      title: `In ${language}`,
      description: `About ${language}.`,
      language,
      code_content: code,
    }));
    const { data: samples } = await site.admin.from("code_samples").insert(rows).select("*").throwOnError();
    await page.goto("/sample-code");
    const labels = ["Python", "SQL", "JavaScript", "TypeScript", "Bash", "YAML"];
    for (const [index, sample] of samples.entries()) {
      const card = cardOf(page, sample.id);
      await expect(card.getByRole("heading", { level: 2 })).toHaveText(sample.title);
      await expect(card.getByText(`About ${sample.language}.`, { exact: true })).toBeVisible();
      await expect(card.getByText(labels[index] ?? "", { exact: true })).toBeVisible();
      await expect(card.getByText("Shared by Ada Lovelace", { exact: true })).toBeVisible();
      expect(await card.locator("pre").textContent()).toBe(code);
    }
  });
});

for (const [timezoneId, shown] of [
  ["Pacific/Kiritimati", "Mar 6, 2026"],
  ["America/Los_Angeles", "Mar 5, 2026"],
] as const) {
  test.describe(`a reader in ${timezoneId}`, () => {
    test.use({ timezoneId });

    test(`dates are shown in the reader's time zone, ${timezoneId}, before and after hydration`, async ({
      page,
      site,
    }) => {
      const { id } = await site.addMember({ username: "ada" });
      // These times fall on different days in UTC and in the reader's time zone.
      const article = await site.add("articles", {
        author_id: id,
        title: "Late",
        content: "x",
        published: true,
        created_at: timezoneId === "Pacific/Kiritimati" ? "2026-03-05T11:00:00Z" : "2026-03-06T06:00:00Z",
      });
      const byline = cardOf(page, article.id).getByText(`By ada | ${shown}`, { exact: true });
      await page.goto("/articles");
      await expect(byline).toBeVisible();
      await hydrated(page);
      await expect(byline).toBeVisible();
      await page.getByRole("searchbox", { name: "Search", exact: true }).fill("late");
      await expect(byline).toBeVisible();
      await page.getByRole("link", { name: "Techfolio.pro" }).click();
      await expect(page.getByRole("region", { name: "Latest Articles" }).getByText(shown)).toBeVisible();
      await page.reload();
      await expect(page.getByRole("region", { name: "Latest Articles" }).getByText(shown)).toBeVisible();
    });
  });
}

test("going back to a list with a fragment in its URL shows that list again", async ({ page, site }) => {
  const { id } = await site.addMember({ username: "ada" });
  await addItem(site, ARTICLES, id, "An article");
  await addItem(site, LINKS, id, "A link");
  await page.goto("/");
  await hydrated(page);
  for (const name of ["Articles", "Useful Links"]) {
    await page.getByRole("banner").getByRole("link", { name }).click();
    await expect(page.getByRole("heading", { level: 1, name })).toBeFocused();
    await page.getByRole("link", { name: "Skip to content" }).press("Enter");
    await expect(page).toHaveURL(/#main$/);
  }
  await page.getByRole("banner").getByRole("link", { name: "Profile" }).click();
  await expect(page).toHaveURL("/profile");
  await page.goBack();
  await expectTitles(page).toEqual(["A link"]);
  await page.evaluate(() => history.go(-2));
  await expect(page).toHaveURL("/articles#main");
  await expectTitles(page).toEqual(["An article"]);
});

async function addLinks(site: Site, count: number) {
  const { id } = await site.addMember({ username: "ada" });
  const rows = Array.from({ length: count }, (_, number) => ({
    profile_id: id,
    title: `Link ${number}`,
    url: "https://example.com",
    description: "Words. ".repeat(20),
    category: "Docs",
    created_at: new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString(),
  }));
  const stored = [];
  for (let from = 0; from < count; from += 100) {
    const { data } = await site.admin
      .from("useful_links")
      .insert(rows.slice(from, from + 100))
      .select("id")
      .throwOnError();
    stored.push(...data);
  }
  return stored.map((row) => row.id);
}

const colorsOf = (element: Element) => {
  const { borderColor, boxShadow, outline, backgroundColor } = getComputedStyle(element);
  return [borderColor, boxShadow, outline, backgroundColor].join();
};

test("a fragment with an item's id scrolls to the item's card and highlights it, and an unknown id leaves the page at its top", async ({
  page,
  site,
}) => {
  const ids = await addLinks(site, 30);
  const [other = "", target = "", found = "", newest = ""] = [ids[3], ids[2], ids[10], ids[29]];
  await test.step("the card is highlighted before and after hydration", async () => {
    await page.goto(`/useful-links#${target}`);
    await expect(cardOf(page, target)).toBeInViewport({ ratio: 0.9 });
    const marked = await cardOf(page, target).evaluate(colorsOf);
    expect(marked).not.toBe(await cardOf(page, other).evaluate(colorsOf));
    await hydrated(page);
    await expect(cardOf(page, target)).toBeInViewport({ ratio: 0.9 });
    expect(await cardOf(page, target).evaluate(colorsOf)).toBe(marked);
  });
  await test.step("also after a click on the home page, which focuses the card's heading and announces the page's title", async () => {
    await page.goto("/");
    await hydrated(page);
    const latest = page.getByRole("region", { name: "Latest Useful Links" });
    await latest.getByRole("link", { name: /^Link 22\b/ }).click();
    await expect(page).toHaveURL(`/useful-links#${ids[22]}`);
    await expect(cardOf(page, ids[22] ?? "")).toBeInViewport({ ratio: 0.9 });
    // The heading is read once, because it has the focus and isn't announced as well.
    await expect(cardHeading(page, ids[22] ?? "")).toBeFocused();
    await expect(page.locator("[aria-live=polite]")).toHaveText("Useful Links · Techfolio.pro");
  });
  await test.step("also in a URL that contains a search", async () => {
    await page.goto(`/useful-links?q=link&sort=asc#${found}`);
    await expect(cardOf(page, found)).toBeInViewport({ ratio: 0.9 });
  });
  await test.step("an unknown or malformed id leaves the page at its top", async () => {
    await page.goto("/useful-links#00000000-0000-4000-8000-000000000000");
    await expect(cardOf(page, newest)).toBeInViewport();
    await page.goto("/useful-links#%22%5D%3Cscript%3E");
    await hydrated(page);
    await expect(cardOf(page, newest)).toBeInViewport();
  });
});
