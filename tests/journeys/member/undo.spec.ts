import type { Page } from "@playwright/test";
import { violations } from "../../support/axe.ts";
import {
  ARTICLES,
  addItem,
  type ContentForm,
  FAILED_REQUESTS,
  holdWrites,
  LINKS,
  openForm,
  SAMPLES,
  startEditing,
  storedTitles,
} from "../../support/forms.ts";
import { expect, type Site, test } from "../../support/site.ts";
import { expectTitles, hydrated, PAGES } from "../../support/visiting.ts";

const WIDTHS = [390, 768, 1280, 1920];

const notice = (page: Page) =>
  page.getByRole("status").filter({ hasText: /^Deleted "|could not be restored/ });
const undo = (page: Page) => notice(page).getByRole("button", { name: "Undo" });

/** Adds three items, created a day apart, so that "Two" is in the middle of the list. */
async function addThreeItems(site: Site, form: ContentForm, ownerId: string): Promise<string[]> {
  const ids = [];
  for (const [index, title] of ["One", "Two", "Three"].entries()) {
    const created_at = `2026-01-0${index + 1}T12:00:00.123456+00:00`;
    const { id } = await site.add(form.table, { [form.owner]: ownerId, title, ...form.row, created_at });
    ids.push(id);
  }
  return ids;
}

test("the notice about a deleted item is visible and covers nothing at widths from 390 to 1920 pixels, and its Undo restores the item with its id and date, in its original place", async ({
  page,
  site,
  member,
}) => {
  const ids = await addThreeItems(site, SAMPLES, member.id);
  const read = async () =>
    (await site.admin.from(SAMPLES.table).select("*").eq("id", ids[1]).single().throwOnError()).data;
  const before = await read();
  await openForm(page, SAMPLES);
  await page.getByRole("button", { name: "Delete Two" }).click();
  await expectTitles(page).toEqual(["Three", "One"]);
  await expect(notice(page)).toContainText('Deleted "Two".');
  await expect(notice(page)).toBeFocused();
  await expect(notice(page)).toBeInViewport();
  await test.step("the notice is visible and covers nothing", async () => {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      await expect(notice(page)).toBeVisible();
      const covered = await notice(page).evaluate((element) => {
        const own = element.getBoundingClientRect();
        const isFixed = ["fixed", "sticky", "absolute"].includes(getComputedStyle(element).position);
        const others = [...document.querySelectorAll("article > *, footer, header, form")];
        const overlapping = others.filter((other) => {
          const box = other.getBoundingClientRect();
          return box.height > 0 && box.top < own.bottom - 1 && box.bottom > own.top + 1;
        });
        return { isFixed, overlapping: overlapping.map((other) => other.outerHTML.slice(0, 80)) };
      });
      expect(covered, `${width} pixels`).toEqual({ isFixed: false, overlapping: [] });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
    expect(await violations(page)).toEqual([]);
  });

  await page.keyboard.press("Tab");
  await expect(undo(page)).toBeFocused();
  await expect(undo(page)).toHaveAccessibleDescription('Deleted "Two".');
  await page.keyboard.press("Enter");
  await expectTitles(page).toEqual(["Three", "Two", "One"]);
  await expect(notice(page)).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Two" })).toBeFocused();
  await expect(page.locator("[aria-live=polite]")).toContainText("Restored Two");
  expect({ ...(await read()), updated_at: null }).toEqual({ ...before, updated_at: null });
});

test("the notice about a deleted item stays until the member dismisses it, deletes another item or leaves the page", async ({
  page,
  site,
  member,
}) => {
  await addThreeItems(site, ARTICLES, member.id);
  await openForm(page, ARTICLES);
  await test.step("dismissing it before the list is reloaded moves the focus past the deleted item", async () => {
    const released = Promise.withResolvers<void>();
    await page.route("**/articles.data*", (route) => released.promise.then(() => route.continue()));
    await page.getByRole("button", { name: "Delete Three" }).click();
    await expect(notice(page)).toContainText('Deleted "Three".');
    await notice(page).getByRole("button", { name: "Dismiss" }).click();
    await expect(notice(page)).toHaveCount(0);
    await expect(page.getByRole("heading", { name: "Two" })).toBeFocused();
    released.resolve();
    await expectTitles(page).toEqual(["Two", "One"]);
    await expect(page.getByRole("heading", { name: "Two" })).toBeFocused();
    await page.unroute("**/articles.data*");
  });
  await test.step("deleting another item replaces it", async () => {
    await page.getByRole("button", { name: "Delete Two" }).click();
    await expect(notice(page)).toContainText('Deleted "Two".');
    await page.getByRole("button", { name: "Delete One" }).click();
    await expect(notice(page)).toContainText('Deleted "One".');
    await expect(notice(page)).toHaveCount(1);
  });
  await test.step("leaving the page removes it", async () => {
    await page.getByRole("banner").getByRole("link", { name: "Useful Links" }).click();
    await expect(page).toHaveURL("/useful-links");
    await expect(notice(page)).toHaveCount(0);
    await page.goBack();
    await expect(page).toHaveURL("/articles");
    await expect(notice(page)).toHaveCount(0);
  });
});

test("a deletion is announced once a slow delete has finished, and Undo is offered once its code has arrived", async ({
  page,
  site,
  member,
}) => {
  await addItem(site, LINKS, member.id, "Mine");
  const released = Promise.withResolvers<void>();
  await page.route(/\/assets\/deleted-notice-.*\.js$/, (route) =>
    released.promise.then(() => route.continue()),
  );
  await openForm(page, LINKS);
  const announcement = page
    .locator("[aria-live=polite]")
    .getByText('Deleted "Mine". Press Undo to restore it.');
  const held = await holdWrites(page, "**/rest/v1/useful_links*");
  await page.getByRole("button", { name: "Delete Mine" }).click();
  await held.arrived;
  await expect(announcement).toHaveCount(0);
  held.release();
  await expect(announcement).toHaveCount(1);
  await expect(notice(page)).toHaveCount(0);
  released.resolve();
  await expect(notice(page)).toBeFocused();
  await undo(page).click();
  await expectTitles(page).toEqual(["Mine"]);
});

test.describe("Undo in two tabs", () => {
  test.use({ expectedProblems: FAILED_REQUESTS });

  test("Undo shows an item that was already restored elsewhere, and is not offered for an item that another tab already deleted", async ({
    page,
    context,
    site,
    member,
  }) => {
    await addItem(site, ARTICLES, member.id, "Mine");
    await openForm(page, ARTICLES);
    const other = await context.newPage();
    await openForm(other, ARTICLES);
    await other.getByRole("button", { name: "Delete Mine" }).waitFor();
    await page.getByRole("button", { name: "Delete Mine" }).click();
    await expect(notice(page)).toBeVisible();
    const { data } = await site.admin.from("versions").select("item").single().throwOnError();
    await site.admin.from("articles").insert(data.item).throwOnError();
    await undo(page).click();
    await expectTitles(page).toEqual(["Mine"]);
    await expect(notice(page)).toHaveCount(0);
    expect(await storedTitles(site, ARTICLES)).toEqual(["Mine"]);

    await test.step("deleting an item that another tab already deleted offers no Undo", async () => {
      await page.getByRole("button", { name: "Delete Mine" }).click();
      await expect(notice(page)).toBeVisible();
      await other.getByRole("button", { name: "Delete Mine" }).click();
      await expect(other.getByRole("article")).toHaveCount(0);
      await expect(notice(other)).toHaveCount(0);
    });
  });
});

test.describe("Undo when requests fail", () => {
  test.use({ expectedProblems: FAILED_REQUESTS });

  test("Undo shows an error while the browser is offline, works once it is online again, and says if another item now uses the deleted item's id", async ({
    page,
    context,
    site,
    member,
  }) => {
    const { id } = await addItem(site, ARTICLES, member.id, "Mine");
    await openForm(page, ARTICLES);
    await page.getByRole("button", { name: "Delete Mine" }).click();
    await expect(notice(page)).toBeVisible();
    await context.setOffline(true);
    await undo(page).click();
    await expect(notice(page)).toContainText('"Mine" could not be restored. Try again in a moment.');
    await context.setOffline(false);
    await undo(page).click();
    await expectTitles(page).toEqual(["Mine"]);

    await test.step("if another item now uses the deleted item's id, Undo says so and keeps the deleted version", async () => {
      const other = await site.addMember();
      await page.getByRole("button", { name: "Delete Mine" }).click();
      await expect(notice(page)).toBeVisible();
      await site.add("articles", { id, author_id: other.id, title: "Theirs", content: "x" });
      await undo(page).click();
      await expect(notice(page)).toContainText("because its ID is in use");
      expect(await storedTitles(site, ARTICLES)).toEqual(["Theirs"]);
      // Each of the two deletions has kept one.
      expect((await site.admin.from("versions").select("title").eq("item_id", id)).data).toEqual([
        { title: "Mine" },
        { title: "Mine" },
      ]);
    });
  });
});

/** Scripts that visitors must not load outside /profile: the auth client, the editors and the preview. */
const MEMBER_SCRIPTS = /\/assets\/(auth|editor(?!-frame)|profile-editor|preview-worker|markdown-preview)-/;

test("visitors load none of the scripts for members, such as the form, Undo and earlier versions, and a member who edits an item loads the code for Undo but not for earlier versions", async ({
  page,
  site,
  signIn,
}) => {
  const scripts: string[] = [];
  page.on("response", (response) => response.url().endsWith(".js") && scripts.push(response.url()));
  const loaded = async (texts: string[]) => {
    const code = (await Promise.all(scripts.map(async (url) => (await fetch(url)).text()))).join();
    return texts.filter((text) => code.includes(text));
  };
  const member = await site.addMember({ username: "mine", full_name: "Mine" });
  await addItem(site, ARTICLES, member.id, "Mine");
  for (const path of [...PAGES.filter((path) => path !== "/profile"), "/people", "/profile/mine"]) {
    await page.goto(path);
    await hydrated(page);
  }
  await page.getByRole("banner").getByRole("link", { name: "Articles" }).click();
  await page.getByRole("searchbox", { name: "Search", exact: true }).fill("mine");
  await expect(page).toHaveURL("/articles?q=mine");
  await expect(page.getByRole("article")).toHaveCount(1);
  await page.waitForLoadState("networkidle");
  const ofLists = "Show More";
  const ofTheForm = "Earlier Versions";
  const ofUndo = "could not be restored";
  const ofVersions = [
    "There are no earlier versions yet",
    "There are no deleted items from the last 30 days",
  ];
  const all = [ofLists, ofTheForm, ofUndo, "replaced_at", ...ofVersions];
  expect(await loaded(all)).toEqual([ofLists]);
  expect(scripts.filter((url) => MEMBER_SCRIPTS.test(url))).toEqual([]);
  await signIn(member);
  await page.goto("/articles");
  await startEditing(page, ARTICLES, "Mine");
  // The code for Undo is loaded in advance, so that Undo can show an error even while the browser is offline.
  await expect.poll(() => loaded([ofTheForm, ofUndo, ...ofVersions])).toEqual([ofTheForm, ofUndo]);
  expect(scripts.filter((url) => MEMBER_SCRIPTS.test(url))).not.toEqual([]);
});
