import type { BrowserContext, Page } from "@playwright/test";
import {
  ARTICLES,
  addItem,
  field,
  fillIn,
  LINKS,
  SAMPLES,
  startEditing,
  valuesOf,
} from "../../support/forms.ts";
import { signInByForm } from "../../support/members.ts";
import { expect, test } from "../../support/site.ts";
import { clickAgain, expectTitles } from "../../support/visiting.ts";

const notice = (page: Page) => page.getByRole("status").filter({ hasText: "You have an unsent draft" });
const dialog = (page: Page) => page.getByRole("alertdialog");

/** Closes the tab without running `beforeunload`, as a crash would, and opens `path` in a new tab. */
async function reopenAfterCrash(page: Page, context: BrowserContext, path: string): Promise<Page> {
  const next = await context.newPage();
  await page.close({ runBeforeUnload: false });
  await next.goto(path);
  await expect(field(next, "Title")).toBeVisible();
  return next;
}

test("a draft survives a tab crash until the member restores and saves it, and a restored draft of an edit updates the same item", async ({
  page,
  context,
  site,
  member,
}) => {
  await page.goto(SAMPLES.path);
  const title = "How we moved four terabytes of PostgreSQL without a minute away";
  await fillIn(page, SAMPLES, title);
  const next = await reopenAfterCrash(page, context, SAMPLES.path);
  await expect(notice(next)).toContainText(`You have an unsent draft: ${title}`);
  expect((await valuesOf(next, SAMPLES))["Title"], "the form is not filled in without asking").toBe("");

  await test.step("the notice fits a narrow page, and the member can leave that page without a warning", async () => {
    await next.setViewportSize({ width: 360, height: 740 });
    expect(await next.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await next.getByRole("banner").getByRole("link", { name: "Profile" }).click();
    await expect(next).toHaveURL("/profile");
    await expect(dialog(next)).toHaveCount(0);
    await next.goBack();
  });

  await next.getByRole("button", { name: "Restore" }).click();
  await expect(notice(next)).toHaveCount(0);
  await expect(field(next, "Title")).toBeFocused();
  expect(await valuesOf(next, SAMPLES)).toEqual({ Title: title, ...SAMPLES.fields });

  await next.getByRole("button", { name: SAMPLES.createButton }).click();
  await expectTitles(next).toEqual([title]);
  const last = await reopenAfterCrash(next, context, SAMPLES.path);
  await expect(notice(last), "the save deletes the draft").toHaveCount(0);

  await test.step("a restored draft of an edit updates the same item", async () => {
    await addItem(site, LINKS, member.id, "As it was");
    await last.goto(LINKS.path);
    await startEditing(last, LINKS, "As it was");
    await field(last, "Title").fill("As it should be");
    const restored = await reopenAfterCrash(last, context, LINKS.path);
    await restored.getByRole("button", { name: "Restore" }).click();
    await expect(restored.getByRole("heading", { name: LINKS.editHeading })).toBeVisible();
    await restored.getByRole("button", { name: LINKS.updateButton }).click();
    await expectTitles(restored).toEqual(["As it should be"]);
  });
});

test("a member who types while the browser's storage is full is warned until the field is empty again", async ({
  page,
  member: _signedIn,
}) => {
  await page.goto("/articles");
  await page.locator("fieldset").first().waitFor();
  await page.evaluate(() => {
    const text = "x".repeat(1_000_000);
    for (let size = text.length; size > 0; size = Math.floor(size / 2)) {
      try {
        for (let index = 0; ; index++) localStorage.setItem(`full.${size}.${index}`, text.slice(0, size));
      } catch {}
    }
  });
  for (const path of ["/articles", "/profile"]) {
    if (path === "/profile") await page.getByRole("banner").getByRole("link", { name: "Profile" }).click();
    const typed = page.locator("fieldset").first().getByRole("textbox").first();
    const warning = page.getByRole("alert").filter({ hasText: "cannot store your draft" });
    await expect(page).toHaveURL(path);
    await typed.waitFor();
    await expect(warning).toHaveCount(0);
    await typed.fill("Not to be lost");
    await expect(warning, path).toBeVisible();
    await typed.fill("");
    await expect(warning, path).toHaveCount(0);
  }
});

test("Discard deletes a draft, and only one after a double-click, and Keep Draft offers it again", async ({
  page,
  context,
  member: _signedIn,
}) => {
  await page.goto("/articles");
  await fillIn(page, ARTICLES, "First");
  const second = await reopenAfterCrash(page, context, "/articles");
  await fillIn(second, ARTICLES, "Other");
  const next = await reopenAfterCrash(second, context, "/articles");
  await expect(notice(next)).toHaveText(/Other/);
  await next.getByRole("button", { name: "Discard" }).click();
  await expect(notice(next)).toHaveText(/First/);
  await clickAgain(next);
  await expect(notice(next)).toHaveText(/First/);

  await next.getByRole("button", { name: "Discard" }).click();
  await expect(notice(next)).toHaveCount(0);
  await expect(next.getByRole("heading", { name: ARTICLES.createHeading })).toBeFocused();
  await next.getByRole("button", { name: "Keep Draft" }).click();
  await expect(notice(next)).toHaveText(/First/);
  await next.getByRole("button", { name: "Discard" }).click();
  await next.reload();
  await expect(field(next, "Title")).toHaveValue("");
  await expect(notice(next)).toHaveCount(0);
});

test("Cancel, starting an edit and restoring a draft keep the form's text as a draft, but Leave in the unsaved-changes dialog deletes what was typed", async ({
  page,
  site,
  member,
}) => {
  await addItem(site, ARTICLES, member.id, "Given up");
  await page.goto("/articles");
  await startEditing(page, ARTICLES, "Given up");
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(notice(page), "nothing was changed").toHaveCount(0);
  await startEditing(page, ARTICLES, "Given up");
  await field(page, "Title").fill("Changed");
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(field(page, "Title")).toHaveValue("");
  await expect(notice(page)).toHaveText(/Changed/);
  await page.reload();
  await page.getByRole("button", { name: "Restore" }).click();
  await expect(page.getByRole("heading", { name: ARTICLES.editHeading })).toBeVisible();
  await expect(field(page, "Title")).toHaveValue("Changed");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Discard" }).click();

  await field(page, "Title").fill("Left behind");
  await page.getByRole("banner").getByRole("link", { name: "Useful Links" }).click();
  await dialog(page).getByRole("button", { name: "Leave" }).click();
  await expect(page).toHaveURL("/useful-links");
  await page.getByRole("banner").getByRole("link", { name: "Articles" }).click();
  await expect(page.getByRole("heading", { name: "Articles", level: 1 })).toBeVisible();
  await expect(field(page, "Title")).toHaveValue("");
  await expect(notice(page)).toHaveCount(0);
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("draft")))).toEqual(
    [],
  );

  await test.step("starting an edit or restoring a draft keeps the form's previous text as a draft", async () => {
    await fillIn(page, ARTICLES, "Begun before");
    await startEditing(page, ARTICLES, "Given up");
    await expect(notice(page)).toHaveText(/Begun before/);
    await field(page, "Title").fill("Being edited");
    await page.getByRole("button", { name: "Restore" }).click();
    await expect(page.getByRole("heading", { name: ARTICLES.createHeading })).toBeVisible();
    await expect(field(page, "Title")).toHaveValue("Begun before");
    await expect(notice(page)).toHaveText(/Being edited/);
    await page.getByRole("button", { name: "Restore" }).click();
    await expect(page.getByRole("heading", { name: ARTICLES.editHeading })).toBeVisible();
    await expect(field(page, "Title")).toHaveValue("Being edited");
  });
});

test("deleting the item that is being edited keeps the unsaved edits as a draft, which can be restored after Undo", async ({
  page,
  site,
  member,
}) => {
  const { id } = await addItem(site, ARTICLES, member.id, "Mine");
  for (const path of ["/articles", `/articles/${id}`]) {
    await page.goto(path);
    await startEditing(page, ARTICLES, "Mine");
    await field(page, "Content (Markdown)").fill("Typed for an hour");
    await page.getByRole("button", { name: "Delete Mine" }).click();
    await expect(page).toHaveURL("/articles");
    await expect(page.getByRole("article")).toHaveCount(0);
    await expect(notice(page)).toHaveText(/Mine/);
    expect((await valuesOf(page, ARTICLES))["Title"]).toBe("");

    await page.getByRole("button", { name: "Undo" }).click();
    await expectTitles(page).toEqual(["Mine"]);
    await page.getByRole("button", { name: "Restore" }).click();
    await expect(page.getByRole("heading", { name: ARTICLES.editHeading })).toBeVisible();
    await expect(field(page, "Content (Markdown)")).toHaveValue("Typed for an hour");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Discard" }).click();
    await expect(notice(page)).toHaveCount(0);
  }

  await test.step("a form without unsaved edits leaves no draft", async () => {
    await startEditing(page, ARTICLES, "Mine");
    await page.getByRole("button", { name: "Delete Mine" }).click();
    await expect(page.getByRole("article")).toHaveCount(0);
    await expect(page.getByRole("heading", { name: ARTICLES.createHeading })).toBeVisible();
    await expect(notice(page)).toHaveCount(0);
  });
});

test("a draft of an article is not offered in the link form or to another member", async ({
  page,
  context,
  site,
  signIn,
}) => {
  const first = await site.addMember();
  await signIn(first);
  await page.goto("/articles");
  await fillIn(page, ARTICLES, "Mine alone");
  const links = await reopenAfterCrash(page, context, LINKS.path);
  await expect(notice(links)).toHaveCount(0);
  await links.getByRole("button", { name: "Sign Out" }).click();
  await expect(links).toHaveURL("/");
  await signIn(await site.addMember(), links);
  await links.goto("/articles");
  await expect(field(links, "Title")).toBeVisible();
  await expect(notice(links)).toHaveCount(0);

  await signIn(first, links);
  await links.goto("/articles");
  await expect(notice(links)).toHaveText(/Mine alone/);
});

test("signing out in another tab keeps the form's text visible and as a draft, and the member can sign in again", async ({
  page,
  context,
  member,
}) => {
  await page.goto("/articles");
  await fillIn(page, ARTICLES, "Interrupted");
  const other = await context.newPage();
  await other.goto("/useful-links");
  await other.getByRole("button", { name: "Sign Out" }).click();
  const signedOut = page.getByRole("main").getByText("You are signed out. Your text is kept as a draft.");
  await expect(signedOut).toBeVisible();
  await expect(page.locator("[aria-live=polite]")).toContainText("You are signed out.");
  expect((await valuesOf(page, ARTICLES))["Title"]).toBe("Interrupted");
  await page.getByRole("button", { name: ARTICLES.createButton }).click();
  await expect(signedOut).toBeVisible();

  await signInByForm(other, member);
  await expect(signedOut).toHaveCount(0);
  expect(await valuesOf(page, ARTICLES)).toEqual({ Title: "Interrupted", ...ARTICLES.fields });
  await other.getByRole("button", { name: "Sign Out" }).click();
  await page.getByRole("main").getByRole("link", { name: "Sign in", exact: true }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(page).toHaveURL("/profile");
  await page.getByLabel("Email address").fill(member.email);
  await page.getByLabel("Password").fill(member.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("banner").getByRole("link", { name: "Articles" }).click();
  await expect(notice(page)).toHaveText(/Interrupted/);
  await page.getByRole("button", { name: "Restore" }).click();
  expect(await valuesOf(page, ARTICLES)).toEqual({ Title: "Interrupted", ...ARTICLES.fields });
});

test("a draft that another tab has saved is not offered any more, and one edited in two tabs becomes two drafts", async ({
  page,
  context,
  site,
  signIn,
}) => {
  await signIn(await site.addMember());
  await page.goto("/articles");
  await fillIn(page, ARTICLES, "Typed here");
  const other = await context.newPage();
  await other.goto("/articles");
  await test.step("a draft that another tab has saved", async () => {
    await expect(notice(other)).toBeVisible();
    await page.getByRole("button", { name: ARTICLES.createButton }).click();
    await expectTitles(page).toEqual(["Typed here"]);
    await expect(notice(other)).toHaveCount(0);
  });
  await fillIn(page, ARTICLES, "Begun");
  await other.goto("/articles");
  await other.getByRole("button", { name: "Restore" }).click();
  await field(page, "Title").fill("Here");
  await field(other, "Title").fill("There");
  await field(page, "Content (Markdown)").fill("Here as well");
  await page.close({ runBeforeUnload: false });
  const next = await reopenAfterCrash(other, context, "/articles");
  const titles = new Set<string | null>();
  for (const _ of ["first", "second"]) {
    titles.add(await notice(next).getByRole("paragraph").textContent());
    await next.getByRole("button", { name: "Discard" }).click();
  }
  expect([...titles].toSorted()).toEqual(
    ["Here", "There"].map((title) => `You have an unsent draft: ${title}`),
  );
});

test("unsent changes to the profile survive a tab crash, and restoring and saving them keeps a field that was saved elsewhere in the meantime", async ({
  page,
  context,
  site,
  signIn,
}) => {
  const member = await site.addMember({ full_name: "Ada Marlowe", bio: "Before", company: "Northwind" });
  await signIn(member);
  await page.goto("/profile");
  await expect(page.getByLabel("Full Name")).toHaveValue("Ada Marlowe");
  await page.getByLabel("Company").fill("Elsewhere");
  await page.getByLabel("Current Title").fill("Analyst");
  await page.getByLabel("Full Name").fill("");
  await site.admin.from("profiles").update({ bio: "Meanwhile" }).eq("id", member.id).throwOnError();
  const next = await context.newPage();
  await page.close({ runBeforeUnload: false });
  await next.goto("/profile");
  await expect(notice(next)).toBeVisible();
  await expect(next.getByLabel("Company")).toHaveValue("Northwind");
  await next.getByRole("button", { name: "Restore" }).click();
  await expect(next.getByRole("heading", { name: "Profile Information" })).toBeFocused();
  await expect(next.getByLabel("Company")).toHaveValue("Elsewhere");
  await expect(next.getByLabel("Current Title")).toHaveValue("Analyst");
  await expect(next.getByLabel("Full Name")).toHaveValue("");
  await expect(next.getByLabel("Bio")).toHaveValue("Meanwhile");

  next.once("dialog", (alert) => alert.accept());
  await next.getByRole("button", { name: "Save Profile" }).click();
  await expect
    .poll(() => next.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("draft"))))
    .toEqual([]);
});
