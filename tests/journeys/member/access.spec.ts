import type { Page } from "@playwright/test";
import { violations } from "../../support/axe.ts";
import { ARTICLES, addItem, CONTENT_FORMS, field, startEditing } from "../../support/forms.ts";
import { expect, type Site, test } from "../../support/site.ts";
import { htmlFaults } from "../../support/validators.ts";
import { expectTitles } from "../../support/visiting.ts";

async function addMemberWithItems(site: Site) {
  const bio = "Incomprehensibilities".repeat(20);
  const member = await site.addMember({ full_name: "Ada Marlowe", username: "ada", bio });
  await site.add("skills", {
    profile_id: member.id,
    category: "tools",
    name: "Git",
    proficiency: 4,
    years_experience: 2,
  });
  for (const form of CONTENT_FORMS) await addItem(site, form, member.id, "Mine");
  return member;
}

/** Fails if the page's HTML is invalid, a fieldset has no legend, or the page scrolls sideways. */
async function expectValidForms(page: Page, path: string): Promise<void> {
  await expect(page.getByRole("button", { name: "Sign Out" })).toBeVisible();
  await expect(page.locator("fieldset").first()).toBeVisible();
  if (path === "/profile") await expect(field(page, "Bio")).toHaveValue(/^Incomprehensibilities/);
  await expect(page.locator("fieldset:not(:has(> legend))"), path).toHaveCount(0);
  const closedDialogs = page.locator("dialog:is([role], [aria-labelledby], [aria-describedby])");
  await expect(closedDialogs, `${path}: closed dialogs have no role or label`).toHaveCount(0);
  expect(await htmlFaults(await page.content()), path).toEqual([]);
  for (const width of [360, 390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(excess, `${path} at ${width} pixels`).toBeLessThanOrEqual(0);
  }
}

test("a member's pages with forms are valid HTML with a legend for each fieldset and don't scroll sideways at widths from 360 to 1280 pixels, and axe finds no accessibility violations on a phone in light mode and on a desktop in dark mode", async ({
  page,
  site,
  signIn,
}) => {
  test.slow();
  const member = await addMemberWithItems(site);
  await signIn(member);
  await page.goto("/profile");
  await expectValidForms(page, "/profile");
  await page.getByRole("button", { name: "Edit Git" }).click();
  await expect(page.getByRole("button", { name: "Save", exact: true })).toBeVisible();
  expect(await violations(page), "the profile page while a skill is edited").toEqual([]);

  for (const form of CONTENT_FORMS) {
    await page.goto(form.path);
    await expectValidForms(page, form.path);
    await field(page, "Title").fill("Unsent");
    await startEditing(page, form, "Mine");
    await expect(page.getByRole("button", { name: "Restore" })).toBeVisible();
    if (form === ARTICLES)
      await expect(page.getByRole("region", { name: "Preview" }).locator("em")).toBeVisible();
    expect(await violations(page), `${form.path} while an item is edited and a draft is offered`).toEqual([]);
  }
  await page.getByRole("banner").getByRole("link", { name: "Profile" }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  expect(await violations(page), "the unsaved-changes dialog").toEqual([]);
});

async function tabTo(
  page: Page,
  name: string,
  role: "button" | "textbox" | "link" | "checkbox",
): Promise<void> {
  // Looking up the role again after each press would take most of the journey's time.
  const target = await page.getByRole(role, { name, exact: true }).elementHandle();
  for (let presses = 0; presses < 60; presses++) {
    if (await target?.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not lead to ${role} ${name}`);
}

test("a member signs in, publishes, edits and deletes an article, and signs out, with the keyboard alone", async ({
  page,
  site,
}) => {
  const member = await site.addMember();
  await page.goto("/profile");
  await expect(page.getByRole("button", { name: "Sign in" })).toBeEnabled();
  await tabTo(page, "Email address", "textbox");
  await page.keyboard.type(member.email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(member.password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Profile Information" })).toBeVisible();

  await page.locator("body").press("Shift+Tab");
  await page.goto("/articles");
  await tabTo(page, "Title", "textbox");
  await page.keyboard.type("By keyboard");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Nothing but keys");
  await tabTo(page, "Publish article", "checkbox");
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expectTitles(page).toEqual(["By keyboard"]);

  await tabTo(page, "Edit By keyboard", "button");
  await page.keyboard.press("Enter");
  await expect(field(page, "Title")).toBeFocused();
  await page.keyboard.press("End");
  await page.keyboard.type(", edited");
  await page.keyboard.press("Control+Home");
  await page.locator("body").evaluate(() => (document.activeElement as HTMLElement).blur());
  await tabTo(page, "Useful Links", "link");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alertdialog")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Stay" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await tabTo(page, "Title", "textbox");
  await page.keyboard.press("Enter");
  await expectTitles(page).toEqual(["By keyboard, edited"]);

  await tabTo(page, "Delete By keyboard, edited", "button");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("article")).toHaveCount(0);
  await page.locator("body").evaluate(() => (document.activeElement as HTMLElement).blur());
  await tabTo(page, "Sign Out", "button");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("button", { name: "Sign Out" })).toHaveCount(0);
});
