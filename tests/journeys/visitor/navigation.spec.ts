import type { Page } from "@playwright/test";
import { expect, type Site, test } from "../../support/site.ts";
import { gotoRendered, holdScripts, hydrated, translate } from "../../support/visiting.ts";

const linkTo = (page: Page, name: string) =>
  page.getByRole("banner").getByRole("link", { name, exact: true });

async function addArticle(site: Site, content = "Text") {
  const { id } = await site.addMember({ username: "ada", full_name: "Ada" });
  return site.add("articles", { author_id: id, title: "On Engines", content, published: true });
}

test("a link to the current page neither loads a new document nor adds a history entry, and one in an article scrolls to a heading, opens a page of the site without loading a new document, or loads a file", async ({
  page,
  site,
}) => {
  await test.step("to the current page", async () => {
    await page.goto("/");
    await hydrated(page);
    const link = page.getByRole("banner").getByRole("link", { name: "Articles", exact: true });
    await link.click();
    await expect(page.getByRole("heading", { level: 1, name: "Articles" })).toBeFocused();
    const entries = await page.evaluate(() => Object.assign(window, { isSameDocument: true }).history.length);
    await link.click();
    await expect(page.getByRole("progressbar")).toHaveCount(0);
    await expect(link).toHaveAttribute("aria-current", "page");
    expect(await page.evaluate(() => [history.length, "isSameDocument" in window])).toEqual([entries, true]);
  });
  await test.step("in an article", async () => {
    const links = "[down](#here) [links](/useful-links) [feed](/feed.xml)";
    const { id } = await addArticle(site, `${links}\n\n${"Text\n\n".repeat(60)}## Here`);
    await gotoRendered(page, `/articles/${id}`);
    await hydrated(page);
    await test.step("to a heading, and Back removes the fragment", async () => {
      await page.getByRole("link", { name: "down" }).click();
      await expect(page.getByRole("heading", { name: "Here" })).toBeInViewport();
      await page.goBack();
      await expect(page).toHaveURL(`/articles/${id}`);
    });
    await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
    await page.getByRole("link", { name: "links", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Useful Links", level: 1 })).toBeVisible();
    expect(await page.evaluate(() => "isSameDocument" in window)).toBe(true);
    await page.goBack();
    const feed = page.waitForResponse("**/feed.xml");
    await page.getByRole("link", { name: "feed", exact: true }).click();
    expect((await feed).status()).toBe(200);
  });
});

test("hydration keeps the reader's scroll position", async ({ page, site }) => {
  const { id } = await addArticle(site, "Text\n\n".repeat(200));
  await gotoRendered(page, `/articles/${id}`);
  await hydrated(page);
  await page.evaluate(() => scrollTo(0, 1_000));
  const release = await holdScripts(page);
  await page.reload({ waitUntil: "commit" });
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(1_000);
  // Scroll after the reload. Otherwise, the browser itself would restore the position, and the test would prove nothing.
  await page.mouse.wheel(0, -700);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(300);
  release();
  await hydrated(page);
  expect(await page.evaluate(() => scrollY)).toBe(300);
});

test.describe("pages that cannot be loaded", () => {
  test.use({ expectedProblems: [/Failed to (load resource|fetch)/] });
  const notice = (page: Page) => page.getByRole("region", { name: "Failed page load" });

  test("if an item's page or a person's page, or a list or the directory after Back, fails to load, the current page stays until Try Again succeeds or the reader follows another link", async ({
    page,
    site,
  }) => {
    await addArticle(site);
    await test.step("an item's page or a person's page", async () => {
      await page.goto("/articles");
      await hydrated(page);
      for (const linkName of ["On Engines", "Ada"]) {
        await page.route("**/*.data*", (route) => route.abort());
        await page.getByRole("main").getByRole("link", { name: linkName, exact: true }).click();
        await expect(notice(page)).toContainText("The page could not be loaded.");
        await expect(page).toHaveURL("/articles");
        await expect(page.getByRole("heading", { name: "Articles", level: 1 })).toBeVisible();
        const failed = page.waitForEvent("requestfailed");
        await notice(page).getByRole("button", { name: "Try Again" }).click();
        await failed;
        await expect(notice(page)).toBeVisible();
        await notice(page).getByRole("button", { name: "Stay Here" }).click();
        await expect(notice(page)).toHaveCount(0);
        await page.getByRole("main").getByRole("link", { name: linkName, exact: true }).click();
        await expect(notice(page)).toBeVisible();
        await page.unroute("**/*.data*");
        await notice(page).getByRole("button", { name: "Try Again" }).click();
        await expect(page.getByRole("heading", { name: linkName, level: 1 })).toBeVisible();
        await expect(notice(page)).toHaveCount(0);
        await linkTo(page, "Articles").click();
        await expect(page.getByRole("heading", { name: "Articles", level: 1 })).toBeVisible();
      }
      await test.step("the notice disappears when the reader follows another link", async () => {
        await page.route("**/articles/*.data*", (route) => route.abort());
        await page.getByRole("main").getByRole("link", { name: "On Engines", exact: true }).click();
        await expect(notice(page)).toBeVisible();
        await linkTo(page, "Profile").click();
        await expect(page).toHaveURL("/profile");
        await expect(notice(page)).toHaveCount(0);
      });
    });
    await page.unroute("**/articles/*.data*");
    await test.step("a list or the directory after Back", async () => {
      for (const [from, heading] of [
        ["/articles", "On Engines"],
        ["/people", "Ada"],
      ] as const) {
        await page.goto(from);
        await hydrated(page);
        await page.getByRole("banner").getByRole("link", { name: "Useful Links" }).click();
        await expect(page.getByRole("heading", { name: "Useful Links", level: 1 })).toBeVisible();
        await page.route("**/*.data*", (route) => route.abort());
        await page.goBack();
        await expect(notice(page)).toContainText("The page could not be loaded.");
        await expect(page.getByRole("heading", { name: "Useful Links", level: 1 })).toBeVisible();
        await notice(page).getByRole("button", { name: "Stay Here" }).click();
        await expect(notice(page)).toHaveCount(0);
        await expect(page).toHaveURL("/useful-links");
        await expect(page.getByRole("heading", { name: "Useful Links", level: 1 })).toBeFocused();
        await page.goBack();
        await expect(notice(page)).toBeVisible();
        await page.unroute("**/*.data*");
        await notice(page).getByRole("button", { name: "Try Again" }).click();
        await expect(page.getByRole("heading", { name: heading, level: 2 })).toBeVisible();
        await expect(notice(page)).toHaveCount(0);
      }
    });
  });

  test("following a link offline keeps the current page, and the link's page opens once the network is back", async ({
    page,
    context,
  }) => {
    await page.goto("/articles");
    await hydrated(page);
    await page.waitForLoadState("networkidle");
    for (const [name, heading, from] of [
      ["Techfolio.pro", "Our Tech Expertise", "/articles"],
      ["Sample Code", "Sample Code", "/"],
    ] as const) {
      await context.setOffline(true);
      await linkTo(page, name).click();
      await expect(notice(page)).toBeVisible();
      await expect(page).toHaveURL(from);
      await context.setOffline(false);
      await expect(page.getByRole("heading", { name: heading, level: 1 })).toBeVisible();
      await expect(notice(page)).toHaveCount(0);
    }
  });
});

test("a link works if the server is reachable, even while the browser reports that it is offline", async ({
  page,
}) => {
  await page.addInitScript(() => Object.defineProperty(navigator, "onLine", { get: () => false }));
  await page.goto("/");
  await hydrated(page);
  await linkTo(page, "Articles").click();
  await expect(page.getByRole("heading", { name: "Articles", level: 1 })).toBeVisible();
});

test("the Copy link button works over plain HTTP", async ({ page, site }) => {
  const { id } = await addArticle(site);
  await page.goto(`http://community.test:${new URL(site.url).port}/articles`);
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  await hydrated(page);
  const button = page.getByRole("button", { name: "Copy link to On Engines" });
  await button.click();
  await expect(button).toHaveAttribute("data-copied", "");
  await expect(button).toBeFocused();
  const search = page.getByRole("searchbox", { name: "Search", exact: true });
  await search.focus();
  await page.keyboard.press("Control+V");
  await expect(search).toHaveValue(new RegExp(`/articles/[a-z-]+-${id.slice(-12)}$`));
});

test("navigation works on pages that the browser has translated", async ({ page, site }) => {
  await addArticle(site);
  await page.goto("/");
  await hydrated(page);
  for (const [name, heading] of [
    ["Articles", "Articles"],
    ["Useful Links", "Useful Links"],
    ["Profile", "Sign in to your account"],
    ["Techfolio.pro", "Our Tech Expertise"],
    ["Articles", "Articles"],
  ] as const) {
    await translate(page);
    await linkTo(page, name).click();
    await expect(page.getByRole("main").getByRole("heading", { level: 1 })).toHaveText(heading);
  }
  await translate(page);
  await page.getByRole("main").getByRole("link", { name: "On Engines", exact: true }).click();
  await expect(page.getByRole("heading", { name: "On Engines", level: 1 })).toBeVisible();
});

test.describe("a reader of a deleted item's page", () => {
  test.use({ expectedProblems: [/status of 404/] });

  test("the not-found page of a deleted item, and the home page opened from it, are announced, and their headings get the focus", async ({
    page,
    site,
  }) => {
    const { id: author_id } = await site.addMember();
    const { id } = await site.add("articles", {
      author_id,
      title: "Deleted while it is read",
      content: "Text",
    });
    await page.goto("/articles");
    await hydrated(page);
    await site.admin.from("articles").delete().eq("id", id).throwOnError();
    await page.getByRole("link", { name: "Deleted while it is read", exact: true }).click();
    const announcements = page.locator("[aria-live=polite]");
    await expect(announcements).toContainText("Page not found · Techfolio.pro");
    await expect(page.getByRole("heading", { level: 1, name: "This page does not exist" })).toBeFocused();
    await page.getByRole("link", { name: "Go to the home page" }).click();
    await expect(announcements).toHaveText("Techfolio.pro");
    await expect(page.getByRole("heading", { level: 1, name: "Our Tech Expertise" })).toBeFocused();
  });
});
