import { expect, test } from "../../support/site.ts";
import { hydrated, layoutShift, PAGES, watchShifts } from "../../support/visiting.ts";

test.use({ seed: "demo" });

test("on the demo site, the five main pages log no error or warning and don't shift during hydration", async ({
  page,
}) => {
  await watchShifts(page);
  for (const path of PAGES) {
    await page.goto(path);
    await hydrated(page);
    expect(await layoutShift(page), path).toBe(0);
  }
  // The `noProblems` fixture fails the test if a page logs an error or a warning to the console.
});

test("the demo site's article list shows rendered Markdown instead of plain text", async ({ page }) => {
  // The server sends articles as plain text until it has rendered them, so reload until none is plain text.
  await expect(async () => {
    await page.goto("/articles");
    await expect(page.getByRole("article").first()).toBeVisible();
    expect(await page.locator(".plain-text").count()).toBe(0);
  }).toPass();
});
