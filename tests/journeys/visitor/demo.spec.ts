import { expect, test } from "../../support/site.ts";
import { hydrated, PAGES, shiftsOf, watchShifts } from "../../support/visiting.ts";

test.use({ seed: "demo" });

test("a reader downloads no script before the first interaction", async ({ page }) => {
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script" || request.url().endsWith(".js")) scripts.push(request.url());
  });
  await page.goto("/articles", { waitUntil: "networkidle" });
  expect(scripts).toEqual([]);
  await page.keyboard.press("Tab");
  await expect.poll(() => scripts.length).toBeGreaterThan(0);
});

test("no page logs to the console, and nothing shifts when the application starts", async ({ page }) => {
  await watchShifts(page);
  for (const path of PAGES) {
    await page.goto(path);
    await hydrated(page);
    expect(await shiftsOf(page), path).toEqual([]);
  }
  // The fixture fails on console messages.
});

test("every article of the demo is rendered, not shown as plain text", async ({ page }) => {
  await page.goto("/articles");
  await expect(page.locator(".plain-text")).toHaveCount(0);
  await expect(page.getByRole("article").first()).toBeVisible();
});
