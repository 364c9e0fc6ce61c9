import type { Page, Route } from "@playwright/test";
import { itemPath } from "../../../common/data/addresses.ts";
import {
  ARTICLES,
  addItem,
  expectNoMessage,
  failWrites,
  field,
  holdWrites,
  SAMPLES,
  startEditing,
  storedTitles,
  waitForWrite,
} from "../../support/forms.ts";
import { expect, type Site, test } from "../../support/site.ts";
import { htmlFaults } from "../../support/validators.ts";

const dialog = (page: Page) => page.getByRole("alertdialog", { name: "Unsaved Changes" });
const linkTo = (page: Page, name: string) =>
  page.getByRole("banner").getByRole("link", { name, exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

// All kinds use the same page for an item.
test.describe("a member's own item", () => {
  const form = SAMPLES;
  let path: string;

  test.beforeEach(async ({ page, site, signIn }) => {
    const member = await site.addMember({ username: "ada" });
    const { id } = await addItem(site, form, member.id, "My item");
    path = `${form.path}/${id}`;
    await signIn(member);
    await page.goto(path);
    await button(page, "Edit My item").waitFor();
  });

  test("the owner of an item updates it on its own page and then deletes it", async ({ page, site }) => {
    await test.step("an update returns to the item's page", async () => {
      await expect(page.getByRole("heading", { name: form.createHeading })).toHaveCount(0);
      await startEditing(page, form, "My item");
      await expect(field(page, "Title")).toHaveValue("My item");
      for (const [label, value] of Object.entries(form.fields)) {
        await expect(field(page, label)).toHaveValue(value);
      }
      await field(page, "Title").fill("A better title");
      await button(page, form.updateButton).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("A better title");
      await expect(page).toHaveURL(path);
      await expect(page).toHaveTitle("A better title · Techfolio.pro");
      await expect(page.getByRole("heading", { name: form.editHeading })).toHaveCount(0);
      await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
      expect(await storedTitles(site, form)).toEqual(["A better title"]);
    });
    await test.step("a delete opens the list without the unsaved-changes dialog, even during an edit", async () => {
      await startEditing(page, form, "A better title");
      await field(page, "Title").fill("Not saved");
      await button(page, "Delete A better title").click();
      await expect(page).toHaveURL(form.path);
      await expect(dialog(page)).toHaveCount(0);
      await expect(page.getByRole("article")).toHaveCount(0);
      await expect(page.locator("[aria-live=polite]")).toContainText(
        'Deleted "A better title". Press Undo to restore it.',
      );
      expect(await storedTitles(site, form)).toEqual([]);
    });
  });

  test.describe("saves and deletions that fail on an item's page", () => {
    test.use({ expectedProblems: [/Failed to load resource/] });

    test("a failed write on an item's page shows no message, and the member can cancel the edit or leave the page, which is always valid HTML", async ({
      page,
      site,
    }) => {
      await test.step("a failed delete changes nothing, and a failed update keeps the member's input", async () => {
        await failWrites(page, "**/rest/v1/**", (route) => route.fulfill({ status: 500, body: "" }));
        await expectNoMessage(page, async () => {
          const finished = waitForWrite(page, "DELETE");
          await button(page, "Delete My item").click();
          await finished;
          await expect(button(page, "Delete My item")).toHaveAttribute("aria-disabled", "false");
        });
        await startEditing(page, form, "My item");
        await field(page, "Title").fill("Lost?");
        await expectNoMessage(page, async () => {
          const finished = waitForWrite(page, "POST");
          await button(page, form.updateButton).click();
          await finished;
          await expect(field(page, "Title")).toBeEnabled();
        });
        await expect(field(page, "Title")).toHaveValue("Lost?");
        await expect(page.getByRole("heading", { level: 1 })).toHaveText("My item");
        await expect(page).toHaveURL(path);
        await page.unroute("**/rest/v1/**");
      });
      await test.step("Cancel leaves the item unchanged and moves the focus to its edit button", async () => {
        await button(page, "Cancel").click();
        await expect(page.getByRole("heading", { name: form.editHeading })).toHaveCount(0);
        await expect(page).toHaveURL(path);
        await expect(button(page, "Edit My item")).toBeFocused();
        await linkTo(page, "Profile").click();
        await expect(page).toHaveURL("/profile");
        expect(await storedTitles(site, form)).toEqual(["My item"]);
      });
      await test.step("the unsaved-changes dialog asks before the member leaves for another page", async () => {
        await page.goBack();
        await startEditing(page, form, "My item");
        expect(await htmlFaults(await page.content()), "with the form").toEqual([]);
        await linkTo(page, "Profile").click();
        await dialog(page).waitFor();
        expect(await htmlFaults(await page.content()), "with the dialog open").toEqual([]);
        await dialog(page).getByRole("button", { name: "Stay" }).click();
        await expect(page).toHaveURL(path);
        await page.getByRole("complementary", { name: "Author" }).getByRole("link", { name: "ada" }).click();
        await dialog(page).getByRole("button", { name: "Leave" }).click();
        await expect(page).toHaveURL("/profile/ada");
        await expect(dialog(page)).toHaveCount(0);
      });
    });
  });
});

test.describe("an item's page that reloads after an update", () => {
  test.use({ expectedProblems: [/Failed to load resource/] });

  test("after an update, an article's page that fails to reload keeps showing the old text, and the page of an article that was deleted elsewhere shows the not-found page", async ({
    page,
    site,
    member,
  }) => {
    const { id } = await addItem(site, ARTICLES, member.id, "My item");
    await page.goto(`/articles/${id}`);
    const update = async (title: string) => {
      await startEditing(page, ARTICLES, "My item");
      await field(page, "Title").fill(title);
      await button(page, "Update Article").click();
    };
    for (const [title, fail] of [
      ["A second title", (route: Route) => route.abort()],
      ["A third title", (route: Route) => route.fulfill({ status: 503 })],
    ] as const) {
      await page.route("**/articles/*.data*", fail, { times: 1 });
      await update(title);
      await expect(page.locator("[aria-live=polite]")).toContainText(`Saved ${title}`);
      await expect(page.getByRole("heading", { name: "Edit Article" })).toHaveCount(0);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("My item");
      await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
      await expect(page.getByRole("article")).toContainText("Some emphasis of mine");
      expect(await storedTitles(site, ARTICLES)).toEqual([title]);
    }
    const remove = () => site.admin.from("articles").delete().eq("id", id).throwOnError();
    await page.route("**/articles/*.data*", (route) => remove().then(() => route.continue()));
    await update("A fourth title");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("This page does not exist");
  });
});

async function addArticle(site: Site, row: { published: boolean }) {
  const member = await site.addMember({ username: "ada", full_name: "Ada Lovelace" });
  const article = await site.add("articles", {
    author_id: member.id,
    title: "My draft",
    content: "Words",
    ...row,
  });
  return { member, path: itemPath({ path: "/articles" }, { id: article.id, title: "My draft" }) };
}

test("on an article's own page, its owner can publish it, restore an unsent draft, and save it as new after it was deleted elsewhere, and another member sees no Edit or Delete buttons", async ({
  page,
  site,
  signIn,
}) => {
  const { member, path } = await addArticle(site, { published: false });
  await signIn(member);
  await test.step("publishing removes the page's noindex tag and adds the article to the member's page", async () => {
    await page.goto(path);
    await expect(page.getByText("Not published, so not shown on the home page")).toBeVisible();
    await expect(page.locator("meta[name=robots]")).toHaveCount(1);
    await startEditing(page, ARTICLES, "My draft");
    await page.getByLabel("Publish article").check();
    await button(page, "Update Article").click();
    await expect(page.getByText("Not published, so not shown on the home page")).toHaveCount(0);
    await expect(page.locator("meta[name=robots]")).toHaveCount(0);
    expect(await (await page.request.get("/profile/ada")).text()).toContain(`href="${path}"`);
  });
  await test.step("the owner can restore an unsent draft", async () => {
    await page.goto(path);
    await startEditing(page, ARTICLES, "My draft");
    await field(page, "Title").fill("Half a thought");
    page.once("dialog", (leaving) => void leaving.accept());
    await page.reload();
    await button(page, "Restore").click();
    await expect(field(page, "Title")).toHaveValue("Half a thought");
    await button(page, "Cancel").click();
    // The last step starts without a draft.
    await button(page, "Discard").click();
  });
  await test.step("another member sees no Edit or Delete buttons", async () => {
    await signIn(await site.addMember({ username: "bob" }));
    await page.goto(path);
    await expect(page.getByRole("button", { name: "Sign Out" })).toBeVisible();
    await expect(page.getByRole("button", { name: /^(Edit|Delete) / })).toHaveCount(0);
  });
  await test.step("Save as New for an article that was deleted elsewhere opens the new article's page", async () => {
    await signIn(member);
    await page.goto(path);
    await startEditing(page, ARTICLES, "My draft");
    await field(page, "Title").fill("My draft, kept");
    await site.admin.from("articles").delete().eq("author_id", member.id).throwOnError();
    await button(page, "Update Article").click();
    await button(page, "Save as New").click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("My draft, kept");
    const { data } = await site.admin.from("articles").select("id").eq("author_id", member.id).single();
    await expect(page).toHaveURL(`/articles/my-draft-kept-${data?.id.slice(-12)}`);
    await startEditing(page, ARTICLES, "My draft, kept");
  });
});

test("a write that finishes after the member has left the item's page neither navigates nor moves the focus", async ({
  page,
  site,
  signIn,
}) => {
  const { member, path } = await addArticle(site, { published: true });
  await signIn(member);
  const search = page.getByRole("searchbox", { name: "Search", exact: true });
  const announcements = page.locator("[aria-live=polite]");
  await page.goto(path);
  await test.step("a late update", async () => {
    await startEditing(page, ARTICLES, "My draft");
    const held = await holdWrites(page, "**/rest/v1/**");
    await button(page, "Update Article").click();
    await held.arrived;
    await linkTo(page, "Useful Links").click();
    await dialog(page).getByRole("button", { name: "Leave" }).click();
    await expect(page).toHaveURL("/useful-links");
    await search.pressSequentially("po");
    held.release();
    await expect(announcements).toContainText("Saved My draft");
    await page.keyboard.type("st", { delay: 200 });
    await expect(search).toHaveValue("post");
    await page.unroute("**/rest/v1/**");
  });
  await test.step("a late delete", async () => {
    await page.goto(path);
    const held = await holdWrites(page, "**/rest/v1/**");
    await button(page, "Delete My draft").click();
    await held.arrived;
    await linkTo(page, "Useful Links").click();
    await expect(page).toHaveURL("/useful-links");
    held.release();
    await expect(announcements).toContainText('Deleted "My draft". Press Undo to restore it.');
    await search.pressSequentially("post");
    await expect(page).toHaveURL("/useful-links?q=post");
    await expect(search).toBeFocused();
  });
});
