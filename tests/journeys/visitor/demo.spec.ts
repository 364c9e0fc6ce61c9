import { expect, test } from "../../support/site.ts";
import { hydrated, PAGES, shiftsOf, watchShifts } from "../../support/visiting.ts";

test.use({ seed: "demo" });

test("a reader downloads no script until they do something", async ({ page }) => {
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script" || request.url().endsWith(".js")) scripts.push(request.url());
  });
  await page.goto("/articles", { waitUntil: "networkidle" });
  expect(scripts).toEqual([]);
  await page.keyboard.press("Tab");
  await expect.poll(() => scripts.length).toBeGreaterThan(0);
});

test("no page complains of anything, and nothing moves when the application starts", async ({ page }) => {
  await watchShifts(page);
  for (const path of PAGES) {
    await page.goto(path);
    await hydrated(page);
    expect(await shiftsOf(page), path).toEqual([]);
  }
  // Held to a quiet console by the fixture.
});

test("every article is rendered", async ({ page }) => {
  await page.goto("/articles");
  await expect(page.locator(".plain-text")).toHaveCount(0);
  await expect(page.getByRole("article").first()).toBeVisible();
});
