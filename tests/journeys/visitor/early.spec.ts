import type { Page } from "@playwright/test";
import { expect, test } from "../../support/site.ts";
import { expectTitles, holdScripts, hydrated } from "../../support/visiting.ts";

// search.spec.ts covers text that is typed and a sort order that is chosen before hydration.

const linkTo = (page: Page, name: string) => page.getByRole("link", { name, exact: true }).first();

test("hydration leaves the focus where the reader has moved it", async ({ page }) => {
  const release = await holdScripts(page);
  await page.goto("/", { waitUntil: "commit" });
  const link = linkTo(page, "Sample Code");
  await link.waitFor();
  for (let presses = 0; presses < 12; presses++) {
    await page.keyboard.press("Tab");
    if (await link.evaluate((element) => element === document.activeElement)) break;
  }
  await expect(link).toBeFocused();
  release();
  await hydrated(page);
  await expect(link).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/sample-code");
});

test("the sign-in form cannot be submitted before hydration, and keeps the email and password typed until then", async ({
  page,
  site,
}) => {
  const { email, password } = await site.addMember();
  const release = await holdScripts(page);
  await page.goto("/profile", { waitUntil: "commit" });
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password").fill(password);
  await expect(page.getByRole("button", { name: "Sign in" })).toBeDisabled();
  await page.getByLabel("Password").press("Enter");
  release();
  await expect(page.getByRole("button", { name: "Sign in" })).toBeEnabled();
  await expect(page).toHaveURL("/profile");
  await expect(page.getByLabel("Email address")).toHaveValue(email);
  await page.getByLabel("Password").press("Enter");
  await expect(page.getByRole("heading", { name: "Profile Information" })).toBeVisible();
});

test("a page hydrates even if the browser is never idle and a picture from another site never loads", async ({
  context,
  site,
}) => {
  const { id: author } = await site.addMember();
  const content = "![Plan](https://pictures.example/plan.png)";
  const { id } = await site.add("articles", { author_id: author, title: "One", content, published: true });
  await context.addInitScript(() => {
    const { requestIdleCallback } = window;
    window.requestIdleCallback = (run, options) => (options?.timeout ? requestIdleCallback(run, options) : 0);
  });
  await context.route("https://pictures.example/**", () => new Promise(() => undefined));
  // Hydration starts after two seconds, so both pages wait at the same time.
  const visits = ["/articles", `/articles/${id}`].map(async (path) => {
    const page = await context.newPage();
    await page.goto(path, { waitUntil: "commit" });
    await hydrated(page);
  });
  await Promise.all(visits);
});

test.describe("pages that cannot load their scripts", () => {
  test.use({ expectedProblems: [/Failed to (load resource|fetch)/] });

  test("if scripts cannot be loaded, searches and links work, and /profile and a member's article list show a Reload link, which works once the scripts can be loaded", async ({
    page,
    site,
    signIn,
  }) => {
    await page.route("**/assets/*.js", (route) => route.abort());
    await test.step("searches and links work", async () => {
      const { id } = await site.addMember();
      for (const title of ["One", "Two"])
        await site.add("articles", { author_id: id, title, content: "Text" });
      await page.goto("/articles");
      await page.getByRole("searchbox", { name: "Search", exact: true }).fill("two");
      await page.getByRole("searchbox", { name: "Search", exact: true }).press("Enter");
      await expect(page).toHaveURL(/\/articles\?q=two/);
      await expectTitles(page).toEqual(["Two"]);
      await linkTo(page, "Useful Links").click();
      await expect(page).toHaveURL("/useful-links");
    });
    await test.step("/profile and a member's article list show a Reload link", async () => {
      const help = page.getByRole("region", { name: "Loading problem" });
      const skipWait = async () => {
        const hidden = page.getByRole("region", { name: "Loading problem", includeHidden: true });
        await expect(hidden).toHaveCSS("animation-delay", "10s");
        await hidden.evaluate((element) => {
          for (const animation of element.getAnimations()) animation.currentTime = 10_000;
        });
        await expect(help).toBeVisible();
      };
      await page.goto("/articles");
      await page.goto("/profile");
      await skipWait();
      await help.getByRole("link", { name: "Reload" }).click();
      await expect(page).toHaveURL("/profile");
      await expect(help).toBeHidden();
      await signIn(await site.addMember());
      await page.goto("/articles");
      await skipWait();
      await page.unroute("**/assets/*.js");
      await help.getByRole("link", { name: "Reload" }).click();
      await expect(page.getByLabel("Title")).toBeEnabled();
      await expect(help).toHaveCount(0);
    });
  });
});
