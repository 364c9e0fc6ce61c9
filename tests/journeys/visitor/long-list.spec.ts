import type { Page } from "@playwright/test";
import { addManyItems } from "../../support/many-items.ts";
import { expect, type Site, test } from "../../support/site.ts";
import {
  cardHeading,
  cardOf,
  expectTitles,
  hydrated,
  showAll,
  shownTitles,
  VIEWPORTS,
} from "../../support/visiting.ts";

type Table = "articles" | "useful_links";

async function addItems(site: Site, table: Table, size: number): Promise<void> {
  const { id } = await site.addMember({ username: "crowd" });
  await addManyItems(site.admin, id, size, [table]);
}

async function idOf(site: Site, table: Table, title: string): Promise<string> {
  const { data } = await site.admin.from(table).select("id").eq("title", title).single().throwOnError();
  return data.id;
}

const nameOf = { articles: "Article", useful_links: "Link" };
const pluralOf = { articles: "articles", useful_links: "links" };
const pathOf = { articles: "/articles", useful_links: "/useful-links" };
const titlesOf = (table: Table, from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `${nameOf[table]} ${from + index}`);
const showMore = (page: Page) => page.getByRole("main").getByRole("link", { name: "Show More" });

// Articles and links use the same list, so each width needs only one of them.
// A page of the list has up to 12 articles or 48 links.
for (const [table, count, viewport] of [
  ["articles", 40, VIEWPORTS[0]],
  ["useful_links", 60, VIEWPORTS[3]],
] as const) {
  test(`a reader of ${count} ${pluralOf[table]} opens cards by their fragments, and loads the list page by page, at ${viewport.width} × ${viewport.height} pixels`, async ({
    page,
    site,
  }) => {
    await addItems(site, table, count);
    await page.setViewportSize(viewport);

    await test.step("a fragment with the oldest item's id focuses its card, and Start of the List shows the newest", async () => {
      const id = await idOf(site, table, `${nameOf[table]} ${count - 1}`);
      await page.goto(`${pathOf[table]}#${id}`);
      const card = cardOf(page, id);
      await expect(card).toBeInViewport();
      await expect(cardHeading(page, id)).toBeFocused();
      const top = async () => (await card.boundingBox())?.y ?? Number.NaN;
      const before = await top();
      await hydrated(page);
      expect(Math.abs((await top()) - before)).toBeLessThan(viewport.height / 4);
      await expect(card).toBeInViewport();
      expect(await shownTitles(page)).toEqual(titlesOf(table, count - 7, count));

      await page.getByRole("link", { name: "Start of the List" }).click();
      await expect.poll(async () => (await shownTitles(page))[0]).toBe(`${nameOf[table]} 0`);
      await expect(page).toHaveURL(pathOf[table]);
    });

    await test.step("the list loads page by page as the reader scrolls, and Back and Reload restore it", async () => {
      await page.goto(pathOf[table]);
      await hydrated(page);
      await showAll(page, count);
      expect(await shownTitles(page)).toEqual(titlesOf(table, 0, count));
      await expect(showMore(page)).toHaveCount(0);

      const title = `${nameOf[table]} ${count - 10}`;
      const permalink = page.getByRole("link", { name: `Permalink to ${title}`, exact: true });
      await permalink.click();
      await expect(page.getByRole("heading", { level: 1, name: title, exact: true })).toBeVisible();
      await page.goBack();
      await expectTitles(page).toEqual(titlesOf(table, 0, count));
      await expect(permalink).toBeInViewport();
      const card = cardOf(page, await idOf(site, table, title));
      await expect(card.getByRole("heading").getByRole("link")).toBeFocused();

      await page.reload();
      expect(await shownTitles(page)).toEqual(titlesOf(table, 0, count));
    });

    await test.step("the top bar's link returns to the list's first page", async () => {
      const name = { articles: "Articles", useful_links: "Useful Links" }[table];
      await page.getByRole("banner").getByRole("link", { name, exact: true }).click();
      await expect(page).toHaveURL(pathOf[table]);
      await expect.poll(async () => (await shownTitles(page)).length).toBeLessThan(count);
    });
  });
}

test("a fragment from the middle of a list keeps its card in view while the page loads, and a search and a sort order then keep the search field in view", async ({
  page,
  site,
}) => {
  await addItems(site, "articles", 110);
  const id = await idOf(site, "articles", "Article 55");
  await page.setViewportSize(VIEWPORTS[0]);
  await page.goto(`/articles#${id}`);
  await expect(cardHeading(page, id)).toBeFocused();
  await hydrated(page);
  await expect(cardOf(page, id)).toBeInViewport();
  expect((await shownTitles(page)).slice(0, 8)).toEqual(titlesOf("articles", 49, 57));

  const field = page.getByRole("searchbox", { name: "Search", exact: true });
  await field.pressSequentially("article 1");
  await page.getByRole("combobox", { name: "Sort" }).selectOption("Oldest First");
  await expect.poll(async () => (await shownTitles(page))[0]).toBe("Article 109");
  await expect(field).toBeInViewport();
  await expect(page.getByRole("heading", { level: 2 }).first()).toBeInViewport();

  await test.step("more results load as the reader scrolls", async () => {
    const numbers = [1, ...Array.from({ length: 10 }, (_, digit) => 10 + digit)];
    const older = Array.from({ length: 10 }, (_, digit) => 100 + digit);
    await showAll(page, 21);
    const titles = [...numbers, ...older].map((number) => `Article ${number}`);
    expect(await shownTitles(page)).toEqual(titles.toReversed());
  });
});

test("Back returns to the card that the reader left, even if long items were added above it", async ({
  page,
  site,
}) => {
  const { id: author } = await site.addMember({ username: "ada" });
  await addManyItems(site.admin, author, 30, ["articles"]);
  await page.goto("/articles");
  await hydrated(page);
  await showAll(page, 30);
  const permalink = page.getByRole("link", { name: "Permalink to Article 25", exact: true });
  await permalink.scrollIntoViewIfNeeded();
  const top = async () => (await permalink.boundingBox())?.y ?? Number.NaN;
  const before = await top();
  await permalink.click();
  await expect(page.getByRole("heading", { level: 1, name: "Article 25", exact: true })).toBeVisible();
  for (const title of ["New", "Newer"])
    await site.add("articles", { author_id: author, title, content: "Long text. ".repeat(500) });
  await page.goBack();
  await expect.poll(async () => (await shownTitles(page))[0]).toBe("Newer");
  // Scroll positions are rounded to whole pixels, so the position may differ slightly.
  await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThan(2);
});

test("a changed fragment with the id of an item on another page of the list shows that item, and a link with the id of an item far down a list focuses that item's card", async ({
  page,
  site,
}) => {
  const { id: crowd } = await site.addMember({ username: "crowd" });
  await test.step("a changed fragment", async () => {
    await addManyItems(site.admin, crowd, 60, ["articles"]);
    const [one, other] = [
      await idOf(site, "articles", "Article 0"),
      await idOf(site, "articles", "Article 59"),
    ];
    for (const first of ["/articles", `/articles#${one}`]) {
      await page.goto("/");
      await page.goto(first);
      await hydrated(page);
      for (const id of [one, other, one]) {
        await page.goto(`/articles#${id}`);
        await expect(cardOf(page, id)).toBeInViewport();
      }
    }
  });
  await test.step("a link to an item far down the list", async () => {
    await addManyItems(site.admin, crowd, 100, ["useful_links"]);
    const { id: author } = await site.addMember({ username: "ada" });
    const id = await idOf(site, "useful_links", "Link 99");
    const content = `[far](/useful-links#${id})`;
    const article = await site.add("articles", {
      author_id: author,
      title: "Links",
      content,
      published: true,
    });
    await page.goto(`/articles/${article.id}`);
    await hydrated(page);
    await page.getByRole("link", { name: "far", exact: true }).click();
    await expect(cardHeading(page, id)).toBeFocused();
    await expect(cardOf(page, id)).toBeInViewport();
  });
});

test("editing an article that a search found loads its whole text into the form", async ({
  page,
  site,
  member,
}) => {
  await addManyItems(site.admin, member.id, 30, ["articles"]);
  await page.goto("/articles?q=part+14");
  await page.getByRole("button", { name: "Edit Article 14", exact: true }).click();
  await expect(page.getByLabel("Content (Markdown)")).toHaveValue(/^## Part 14\n\n.+```python\n.+```$/s);
});
