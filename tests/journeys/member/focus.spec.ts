import type { Locator, Page } from "@playwright/test";
import { ARTICLES, addItem, field, fillIn, holdWrites, openForm, SAMPLES } from "../../support/forms.ts";
import { addManyItems } from "../../support/many-items.ts";
import { expect, test } from "../../support/site.ts";
import { hydrated, idle } from "../../support/visiting.ts";

const main = (page: Page) => page.getByRole("main");
const showMore = (page: Page) => main(page).getByRole("link", { name: "Show More" });

const announcements = (page: Page) => page.locator("[aria-live=polite] > p");

const LINK = "Article 1";
const linkToItem = (page: Page) => main(page).getByRole("link", { name: /^Article 1\b(?!\d)/ });
const titleLink = (card: Locator) => card.getByRole("heading").first().getByRole("link");

const ORIGINS: [from: string, path: string, title: string][] = [
  ["the home page", "/", "Techfolio.pro"],
  ["a person's page", "/profile/ada", "Ada · Techfolio.pro"],
  ["a search", "/search?q=article", "Search · Techfolio.pro"],
  ["a list", "/articles", "Articles · Techfolio.pro"],
];

/** Returns a function that returns the text that has the focus at the end of the task that shows another page. */
async function watchFocus(page: Page): Promise<() => Promise<string | null | undefined>> {
  const focused = await page.evaluateHandle(() => {
    const heading = document.querySelector("main h1");
    const { promise, resolve } = Promise.withResolvers<string | null | undefined>();
    const observer = new MutationObserver(() => {
      if (heading?.isConnected) return;
      observer.disconnect();
      resolve(document.activeElement?.textContent);
    });
    observer.observe(document.body, { childList: true, subtree: true });
    return { promise };
  });
  return () => focused.evaluate(({ promise }) => promise);
}

test("Back to the home page, a person's page, a search or a list focuses and announces the link to the item that the reader had opened, also the second time, or the title of the card with the author's link", async ({
  page,
  site,
}) => {
  const { id } = await site.addMember({ username: "ada", full_name: "Ada" });
  await addManyItems(site.admin, id, 6, ["articles"]);
  for (const [from, path, title] of ORIGINS) {
    await test.step(from, async () => {
      await page.goto(path);
      await hydrated(page);
      // All pages share the code that counts the visits.
      const rounds = path === "/articles" ? 2 : 1;
      for (let round = 0; round < rounds; round++) {
        await linkToItem(page).first().press("Enter");
        await expect(page.getByRole("heading", { level: 1, name: LINK })).toBeFocused();
        await expect(announcements(page).last()).toHaveText("Article 1 · Techfolio.pro");
        const focusedFirst = await watchFocus(page);
        await page.goBack();
        await expect(linkToItem(page).first()).toBeFocused();
        expect(await focusedFirst(), "the focus moves in the task that shows the page").toMatch(/^Article 1/);
        await expect(announcements(page).last()).toHaveText(new RegExp(`^${title}: Article 1`));
      }
    });
  }
  await test.step("the list again, from an author's page", async () => {
    const card = main(page).getByRole("article").nth(2);
    await card.getByRole("link", { name: "Ada", exact: true }).press("Enter");
    await expect(page.getByRole("heading", { level: 1, name: "Ada" })).toBeVisible();
    await page.goBack();
    await expect(titleLink(card)).toBeFocused();
  });
});

test("a list that is read with the keyboard grows only with Show More, which focuses the first new card, and Back focuses the title of the opened card", async ({
  page,
  site,
}) => {
  const { id } = await site.addMember({ username: "ada" });
  await addManyItems(site.admin, id, 60, ["useful_links"]);
  await page.goto("/useful-links");
  await hydrated(page);
  const cards = main(page).getByRole("article");
  const count = await cards.count();
  await cards.first().getByRole("link").first().focus();
  await page.keyboard.press("Tab");
  await cards.last().getByRole("link").last().focus();
  await page.waitForLoadState("networkidle");
  await page.keyboard.press("Tab");
  await expect(showMore(page)).toBeFocused();
  expect(await cards.count()).toBe(count);
  await page.keyboard.press("Enter");
  await expect(cards.nth(count).getByRole("heading")).toBeFocused();
  await expect(cards).toHaveCount(60);

  await cards
    .nth(55)
    .getByRole("link", { name: /^Permalink/ })
    .press("Enter");
  await expect(page).toHaveURL(/useful-links\/[\w-]+$/);
  await page.goBack();
  await expect(titleLink(cards.nth(55))).toBeFocused();
  await test.step("a reload doesn't return to the card that was opened earlier", async () => {
    await page.evaluate(() => scrollTo(0, 0));
    await page.reload();
    await hydrated(page);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await expect(page.locator("main :focus")).toHaveCount(0);
  });
});

test("a reader who focuses a card after Show More keeps the focus while the next page is added and announced", async ({
  page,
  site,
}) => {
  const { id } = await site.addMember({ username: "ada" });
  await addManyItems(site.admin, id, 60, ["useful_links"]);
  await page.goto("/useful-links");
  await hydrated(page);
  const cards = main(page).getByRole("article");
  const count = await cards.count();
  const released = Promise.withResolvers<void>();
  await page.route("**/useful-links.data*", (route) => released.promise.then(() => route.continue()));
  await showMore(page).press("Enter");
  const link = cards.first().getByRole("link").first();
  await link.focus();
  released.resolve();
  await expect(cards).toHaveCount(60);
  expect(count).toBeLessThan(60);
  await idle(page);
  await expect(link).toBeFocused();
  await expect(announcements(page)).toHaveText(["12 more links."]);
});

test("saving keeps the focus in the field while sending, then focuses the saved card, unless the member types the next title or moves to another field before the list is read again", async ({
  page,
  member: _signedIn,
}) => {
  await test.step("the focus moves from the field to the saved card", async () => {
    await openForm(page, SAMPLES);
    await fillIn(page, SAMPLES, "Kept");
    const held = await holdWrites(page, `**/rest/v1/${SAMPLES.table}*`);
    await field(page, "Title").press("Control+Enter");
    await held.arrived;
    await expect(field(page, "Title")).toBeFocused();
    expect(await field(page, "Title").evaluate((input: HTMLInputElement) => input.disabled)).toBe(false);
    await page.keyboard.type("lost");
    await expect(field(page, "Title")).toHaveValue("Kept");
    held.release();
    await expect(main(page).getByRole("article").getByRole("heading", { name: "Kept" })).toBeFocused();
    await expect(field(page, "Title")).toBeEditable();
    await page.unroute(`**/rest/v1/${SAMPLES.table}*`);
  });

  await test.step("a member who types the next title, or moves to another field, keeps the focus", async () => {
    await openForm(page, ARTICLES);
    for (const [saved, label, text] of [
      [1, "Title", "Next"],
      [2, "Content (Markdown)", ""],
    ] as const) {
      await fillIn(page, ARTICLES, `Number ${saved}`);
      const released = Promise.withResolvers<void>();
      await page.route("**/articles.data*", (route) => released.promise.then(() => route.continue()));
      await field(page, "Title").press("Control+Enter");
      await expect(field(page, "Title")).toHaveValue("");
      await field(page, label).focus();
      await page.keyboard.type(text);
      released.resolve();
      await expect(main(page).getByRole("article")).toHaveCount(saved);
      await idle(page);
      await page.keyboard.type(" and on");
      await expect(field(page, label)).toHaveValue(`${text} and on`);
      await page.unroute("**/articles.data*");
    }
  });
});

test("an item's page has its title once, as a plain heading, and is announced once", async ({
  page,
  site,
  member,
}) => {
  const { id } = await addItem(site, ARTICLES, member.id, "Plain");
  await page.goto("/articles");
  await hydrated(page);
  await page.getByRole("link", { name: "Plain", exact: true }).click();
  const heading = page.getByRole("heading", { level: 1, name: "Plain" });
  await expect(heading).toBeFocused();
  await expect(heading.getByRole("link")).toHaveCount(0);
  await expect(announcements(page)).toHaveText(["Plain · Techfolio.pro"]);
  await expect(page).toHaveURL(new RegExp(`/articles/plain-${id.slice(-12)}$`));
});
