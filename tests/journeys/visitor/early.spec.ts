import type { Page } from "@playwright/test";
import { expect, test } from "../../support/site.ts";
import { expectTitles, holdScripts, shownTitles } from "../../support/visiting.ts";

const sortField = (page: Page) => page.getByRole("combobox", { name: "Sort", exact: true });
const linkTo = (page: Page, name: string) => page.getByRole("link", { name, exact: true }).first();

async function arrive(page: Page, deliver: () => void): Promise<void> {
  await expect(page.locator("html[data-ready]")).toHaveCount(0);
  deliver();
  await page.locator("html[data-ready]").waitFor();
}

test.describe("before the application has loaded", () => {
  test("a click on a link opens its page", async ({ page }) => {
    await holdScripts(page);
    await page.goto("/articles");
    // The first interaction requests the application.
    await page.getByRole("heading", { name: "Articles" }).click();
    await linkTo(page, "Useful Links").click();
    await expect(page).toHaveURL("/useful-links");
    await expect(page.getByRole("heading", { name: "Useful Links" })).toBeVisible();
  });

  test("a sort order chosen early is kept and applied", async ({ page, site }) => {
    const { id } = await site.addMember();
    for (const [number, title] of ["Older", "Newer"].entries()) {
      await site.add("articles", {
        author_id: id,
        title,
        content: "Text",
        created_at: new Date(Date.UTC(2026, 2, number + 1)).toISOString(),
      });
    }
    const deliver = await holdScripts(page);
    await page.goto("/articles");
    expect(await shownTitles(page)).toEqual(["Newer", "Older"]);
    await sortField(page).selectOption("asc");
    await arrive(page, deliver);
    await expect(sortField(page)).toHaveValue("asc");
    await expectTitles(page).toEqual(["Older", "Newer"]);
  });

  test("a sort order changed back while the application starts stays changed back", async ({
    page,
    site,
  }) => {
    const { id } = await site.addMember();
    for (const title of ["One", "Two"]) await site.add("articles", { author_id: id, title, content: "Text" });
    const deliver = await holdScripts(page);
    await page.goto("/articles");
    const [newest = "", oldest = ""] = await shownTitles(page);
    expect(oldest).not.toBe(newest);
    await sortField(page).selectOption("asc");
    // At this point the application has read the fields, but not rendered their values.
    await page.evaluate(() => {
      addEventListener("ready", () => {
        const sort = document.querySelector("select");
        if (sort) sort.value = "desc";
        sort?.dispatchEvent(new Event("input", { bubbles: true }));
      });
    });
    await arrive(page, deliver);
    await expect(sortField(page)).toHaveValue("desc");
    await expectTitles(page).toEqual([newest, oldest]);
    await expect(page).toHaveURL("/articles");
  });

  test("Tab moves the focus, which survives hydration", async ({ page }) => {
    const deliver = await holdScripts(page);
    await page.goto("/");
    const link = linkTo(page, "Sample Code");
    for (let presses = 0; presses < 12; presses++) {
      await page.keyboard.press("Tab");
      if (await link.evaluate((element) => element === document.activeElement)) break;
    }
    await expect(link).toBeFocused();
    await arrive(page, deliver);
    await expect(link).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL("/sample-code");
  });

  for (const key of ["Enter", "a click"]) {
    test(`the sign-in form sent early with ${key} signs the member in`, async ({ page, site }) => {
      const { email, password } = await site.addMember();
      const deliver = await holdScripts(page);
      // /profile requests its scripts immediately, so `load` would wait for them.
      await page.goto("/profile", { waitUntil: "commit" });
      await page.getByLabel("Email address").fill(email);
      await page.getByLabel("Password").fill(password);
      if (key === "Enter") await page.getByLabel("Password").press("Enter");
      else await page.getByRole("button", { name: "Sign in" }).click();
      await arrive(page, deliver);
      await expect(page.getByRole("heading", { name: "Profile Information" })).toBeVisible();
      await expect(page).toHaveURL("/profile");
    });
  }

  test("text typed into the sign-in form early is kept", async ({ page, site }) => {
    const { email, password } = await site.addMember();
    const deliver = await holdScripts(page);
    await page.goto("/profile", { waitUntil: "commit" });
    await page.getByLabel("Email address").fill(email);
    await page.getByLabel("Password").pressSequentially(password.slice(0, 3));
    await arrive(page, deliver);
    await page.keyboard.type(password.slice(3));
    await expect(page.getByLabel("Email address")).toHaveValue(email);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Profile Information" })).toBeVisible();
  });
});

test.describe("when the application cannot be loaded", () => {
  test.use({ expectedProblems: [/Failed to load resource|Failed to fetch/] });

  for (const files of ["js", "css"])
    test(`searches and links work without scripts if the .${files} files fail to load`, async ({
      page,
      site,
    }) => {
      const { id } = await site.addMember();
      for (const title of ["One", "Two"])
        await site.add("articles", { author_id: id, title, content: "Text" });
      await page.route(`**/assets/*.${files}`, (route) => route.abort());
      await page.goto("/articles");
      await page.getByRole("searchbox", { name: "Search", exact: true }).fill("two");
      await page.getByRole("button", { name: "Apply" }).click();
      await expect(page).toHaveURL(/\/articles\?q=two/);
      expect(await shownTitles(page)).toEqual(["Two"]);
      await linkTo(page, "Useful Links").click();
      await expect(page).toHaveURL("/useful-links");
    });
});
