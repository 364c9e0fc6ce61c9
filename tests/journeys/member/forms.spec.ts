import type { Page } from "@playwright/test";
import {
  ARTICLES,
  addItem,
  failEachRequestOnce,
  field,
  fillIn,
  LINKS,
  openForm,
  repeatOn,
  SAMPLES,
  SHORT,
  startEditing,
  storedTitles,
} from "../../support/forms.ts";
import { expect, test } from "../../support/site.ts";
import { expectTitles, hydrated } from "../../support/visiting.ts";

test.use({ expectedProblems: [/Failed to (load resource|fetch)/] });

test("if each request fails once, a member who repeats each step creates, edits, deletes and restores an item", async ({
  page,
  site,
  member,
}) => {
  await addItem(site, LINKS, member.id, "Existing");
  await openForm(page, LINKS);
  await hydrated(page);
  const failed = await failEachRequestOnce(page);
  const repeat = repeatOn(page);
  const button = (name: string) => page.getByRole("button", { name, exact: true });

  await fillIn(page, LINKS, "New one");
  await repeat(
    () => button(LINKS.createButton).click(SHORT),
    (wait) => expect(field(page, "Title")).toHaveValue("", wait),
  );
  expect(await storedTitles(site, LINKS)).toEqual(["Existing", "New one"]);

  const search = page.getByRole("searchbox", { name: "Search", exact: true });
  const titles = page.getByRole("main").getByRole("article").getByRole("heading", { level: 2 });
  for (const [text, found] of [
    ["New", ["New one"]],
    ["", ["New one", "Existing"]],
  ] as const) {
    await search.fill(text);
    await repeat(
      () => search.press("Enter"),
      (wait) => expect(titles).toHaveText([...found], wait),
    );
  }

  await repeat(
    () => button("Edit Existing").click(SHORT),
    (wait) => expect(page.getByRole("heading", { name: LINKS.editHeading })).toBeVisible(wait),
  );
  await field(page, "Title").fill("Changed");
  await repeat(
    () => button(LINKS.updateButton).click(SHORT),
    (wait) => expect(field(page, "Title")).toHaveValue("", wait),
  );
  expect(await storedTitles(site, LINKS)).toEqual(["Changed", "New one"]);

  await repeat(
    () => button("Delete New one").click(SHORT),
    (wait) => expect(button("Undo")).toBeVisible(wait),
  );
  await repeat(
    () => button("Undo").click(SHORT),
    (wait) => expect(button("Undo")).toHaveCount(0, wait),
  );
  expect(await storedTitles(site, LINKS)).toEqual(["Changed", "New one"]);
  expect([...failed].map((name) => name.split(" ")[0])).toEqual(
    expect.arrayContaining(["GET", "POST", "DELETE"]),
  );
});

test("if each request fails once, a member who repeats each step saves the profile and adds, edits and deletes a skill", async ({
  page,
  site,
  member,
}) => {
  await page.goto("/profile");
  await expect(page.getByRole("button", { name: "Save Profile" })).toBeEnabled();
  await page.waitForLoadState("networkidle");
  await failEachRequestOnce(page);
  const repeat = repeatOn(page);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  let saved = 0;
  page.on("dialog", (dialog) => {
    saved++;
    void dialog.accept();
  });
  await page.getByLabel("Company").fill("Northwind");
  await repeat(
    () => button("Save Profile").click(SHORT),
    (wait) => expect.poll(() => saved, wait).toBe(1),
  );

  const skill = page.getByLabel("Skill Name");
  await skill.fill("Rust");
  await repeat(
    () => button("Add Skill").click(SHORT),
    (wait) => expect(skill).toHaveValue("", wait),
  );
  const edit = button("Edit Rust");
  if ((await edit.count()) === 0) {
    await page.reload();
    await edit.waitFor();
  }
  await edit.click();
  const row = page.getByRole("listitem").filter({ has: button("Save") });
  await row.getByLabel("Skill Name").fill("Zig");
  await repeat(
    () => row.getByRole("button", { name: "Save", exact: true }).click(SHORT),
    (wait) => expect(row).toHaveCount(0, wait),
  );
  await repeat(
    () => button("Delete Zig").click(SHORT),
    (wait) => expect(button("Delete Zig")).toHaveCount(0, wait),
  );
  const { data } = await site.admin.from("skills").select("id").eq("profile_id", member.id).throwOnError();
  expect(data).toEqual([]);
});

test("after the session has ended, the sign-in form names the profile's draft, and the profile form offers it", async ({
  page,
  site,
  member,
}) => {
  await page.goto("/profile");
  // A read after the end of the session would show the sign-in form before the test clicks Save Profile. The last section
  // appears once the others have been read, and the page's address once the profile has.
  await expect(page.getByRole("region", { name: "Password" })).toBeVisible();
  await expect(page.getByText(`${site.url}/profile/`)).toBeVisible();
  await page.getByLabel("Bio").fill("An hour's work");
  await site.admin.auth.admin.signOut(await accessToken(page), "global");
  await page.getByRole("button", { name: "Save Profile" }).click();
  await expect(page.getByRole("heading", { name: "Sign in to your account" })).toBeFocused();
  const notice = "You are signed out. Your text is kept as a draft.";
  await expect(page.getByRole("main").getByText(notice)).toBeVisible();
  await expect(page.locator("[aria-live=polite]")).toContainText(notice);

  await page.getByLabel("Email address").fill(member.email);
  await page.getByLabel("Password", { exact: true }).fill(member.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("button", { name: "Restore" }).click();
  await expect(page.getByLabel("Bio")).toHaveValue("An hour's work");
});

const accessToken = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem("techfolio.session") ?? "{}").access_token as string);

test("Ctrl+Enter saves from every field of the form", async ({ page, site, member }) => {
  await openForm(page, SAMPLES);
  for (const [number, label] of ["Title", "Description", "Language", "Code"].entries()) {
    await fillIn(page, SAMPLES, `From ${label}`);
    await field(page, label).press("Control+Enter");
    await expect.poll(() => storedTitles(site, SAMPLES)).toHaveLength(number + 1);
    await expect(field(page, "Title")).toHaveValue("");
  }
  expect(member.id).toBeTruthy();
});

test("Edit on an item's page shows progress while the editor loads, and then focuses the form", async ({
  page,
  site,
  member,
}) => {
  const { id } = await addItem(site, ARTICLES, member.id, "Mine");
  const released = Promise.withResolvers<void>();
  await page.route(/\/assets\/editor-(?!context).*\.js$/, (route) =>
    released.promise.then(() => route.continue()),
  );
  await page.goto(`/articles/${id}`);
  await page.getByRole("button", { name: "Edit Mine" }).click();
  await expect(page.getByRole("progressbar", { name: "Loading" })).toBeVisible();
  released.resolve();
  await expect(field(page, "Title")).toBeFocused();
  await expect(page.getByRole("progressbar")).toHaveCount(0);
  await page.getByRole("button", { name: "Cancel" }).click();
  await startEditing(page, ARTICLES, "Mine");
  await expectTitles(page).toEqual([]);
});
