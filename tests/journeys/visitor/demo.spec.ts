import { expect, test } from "../../support/site.ts";
import { hydrated, layoutShift, PAGES, watchShifts } from "../../support/visiting.ts";

test.use({ seed: "demo" });

test("no page logs to the console, and nothing shifts when the application starts", async ({ page }) => {
  await watchShifts(page);
  for (const path of PAGES) {
    await page.goto(path);
    await hydrated(page);
    expect(await layoutShift(page), path).toBe(0);
  }
  // The fixture fails on console messages.
});

test("every article of the demo is rendered, not shown as plain text", async ({ page }) => {
  // A busy server may send plain text at first.
  await expect(async () => {
    await page.goto("/articles");
    await expect(page.getByRole("article").first()).toBeVisible();
    expect(await page.locator(".plain-text").count()).toBe(0);
  }).toPass();
});
