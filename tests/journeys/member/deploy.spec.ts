import type { Page } from "@playwright/test";
import { expect, test } from "../../support/site.ts";
import { hydrated } from "../../support/visiting.ts";

test.use({ expectedProblems: [/Failed to (load resource|fetch)|dynamically imported module/] });

/** Starts counting the documents that the page requests. The returned function returns the current count. */
function countDocuments(page: Page): () => number {
  let documents = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) documents++;
  });
  return () => documents;
}

test("a tab that was open during a deploy reloads once when the member opens a page with replaced code, and then shows the form", async ({
  page,
  member: _signedIn,
}) => {
  await page.goto("/");
  await hydrated(page);
  const reloads = countDocuments(page);
  let requests = 0;
  // Simulates a deploy: the open tab's file no longer exists, but the file that the reloaded page requests does.
  await page.route(/\/assets\/profile-editor-.*\.js$/, (route) => {
    requests++;
    return requests === 1 ? route.fulfill({ status: 404 }) : route.continue();
  });
  await page.getByRole("link", { name: "Profile", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Profile Information" })).toBeVisible();
  expect(requests).toBe(2);
  expect(reloads()).toBe(1);
});

test("if a page's code still fails to load after the tab has reloaded once, the tab shows an error and does not reload again", async ({
  page,
  member: _signedIn,
}) => {
  await page.goto("/");
  await hydrated(page);
  const reloads = countDocuments(page);
  await page.route(/\/assets\/profile-editor-.*\.js$/, (route) => route.fulfill({ status: 404 }));
  const reloaded = page.waitForEvent("load");
  await page.getByRole("link", { name: "Profile", exact: true }).click();
  await reloaded;
  await expect(page.getByText("This part of the page could not be loaded.")).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(reloads()).toBe(1);
  await test.step("the next deployment, with another build, reloads the tab again", async () => {
    // The next build has the file, so that the page doesn't reload once more.
    await page.unrouteAll();
    const again = page.waitForEvent("load");
    await page.evaluate(() => {
      if (window.__reactRouterManifest) window.__reactRouterManifest.version = "an older build";
      dispatchEvent(new Event("vite:preloadError", { cancelable: true }));
    });
    await again;
    await expect(page.getByRole("heading", { name: "Profile Information" })).toBeVisible();
    expect(reloads()).toBe(2);
  });
});

test("a file that is missing after a deploy doesn't reload /profile while a field contains unsent text", async ({
  page,
  member: _signedIn,
}) => {
  await page.goto("/profile");
  await expect(page.getByRole("button", { name: "Save Profile" })).toBeEnabled();
  await page.route(/\/assets\/.*\.js$/, (route) => route.fulfill({ status: 404 }));
  const reloads = countDocuments(page);
  for (const [label, text] of [
    ["Skill Name", "Rust"],
    ["Current Password", "a typed password"],
    ["Bio", "A typed story"],
  ] as const) {
    await page.getByLabel(label).fill(text);
    await page.evaluate(() => dispatchEvent(new Event("vite:preloadError", { cancelable: true })));
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    await expect(page.getByLabel(label)).toHaveValue(text);
    expect(reloads(), label).toBe(0);
    await page.getByLabel(label).fill("");
  }
});
