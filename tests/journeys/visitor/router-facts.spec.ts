import type { Page } from "@playwright/test";
import { SCROLL_POSITIONS_KEY } from "../../../app/router/scroll-position.ts";
import { FAILED_REQUESTS } from "../../support/forms.ts";
import { addManyItems } from "../../support/many-items.ts";
import { expect, test } from "../../support/site.ts";
import { hydrated } from "../../support/visiting.ts";

// app/router/ relies on these facts, which React Router doesn't document. If an upgrade changes one, its test fails.

const linkTo = (page: Page, name: string) =>
  page.getByRole("banner").getByRole("link", { name, exact: true });
const historyState = (page: Page) =>
  page.evaluate(() => history.state as { idx?: number; key?: string } | null);

test("React Router counts history entries in history.state.idx, and replaces it on Back", async ({
  page,
}) => {
  await page.goto("/articles");
  await hydrated(page);
  const first = (await historyState(page))?.idx ?? Number.NaN;
  await linkTo(page, "Useful Links").click();
  await expect(page).toHaveURL("/useful-links");
  expect((await historyState(page))?.idx).toBe(first + 1);
  await page.getByRole("combobox", { name: "Sort" }).selectOption("Oldest First");
  await expect(page).toHaveURL(/sort=asc/);
  const sorted = (await historyState(page))?.idx;
  await page.goBack();
  await expect(page).not.toHaveURL(/sort=asc/);
  expect((await historyState(page))?.idx).toBeLessThan(sorted ?? Number.NaN);
});

test("React Router's manifest names the build and the modules of each route, which the site serves", async ({
  page,
}) => {
  await page.goto("/");
  await hydrated(page);
  const { version, routes } = await page.evaluate(
    () =>
      (
        window as unknown as {
          __reactRouterManifest: { version: string; routes: Record<string, { module: string }> };
        }
      ).__reactRouterManifest,
  );
  expect(version).toMatch(/^\w+$/);
  expect(Object.keys(routes)).toEqual(expect.arrayContaining(["root", "routes/admin"]));
  for (const { module } of Object.values(routes)) {
    expect((await page.request.get(module)).status(), module).toBe(200);
  }
});

test("React Router stores scroll positions by the key of the history entry", async ({ page, site }) => {
  const { id } = await site.addMember({ username: "ada", full_name: "Ada" });
  await addManyItems(site.admin, id, 30, ["useful_links"]);
  await page.goto("/useful-links");
  await hydrated(page);
  await page.evaluate(() => scrollTo({ top: 700, behavior: "instant" }));
  const key = (await historyState(page))?.key ?? "default";
  await page.goto("/articles");
  const stored = await page.evaluate((name) => sessionStorage.getItem(name), SCROLL_POSITIONS_KEY);
  expect(JSON.parse(stored ?? "{}")).toHaveProperty([key]);
});

test.describe("a navigation during another one", () => {
  test.use({ expectedProblems: FAILED_REQUESTS });

  test("React Router aborts the request for a page's data when another page is opened", async ({ page }) => {
    await page.goto("/");
    await hydrated(page);
    await page.route(/\/articles\.data/, () => new Promise(() => undefined));
    const requested = page.waitForRequest(/\/articles\.data/);
    const aborted = page.waitForEvent("requestfailed", (request) => request.url().includes("/articles.data"));
    await linkTo(page, "Articles").click();
    await requested;
    await linkTo(page, "Useful Links").click();
    expect((await aborted).failure()?.errorText).toContain("ABORTED");
    await expect(page).toHaveURL("/useful-links");
  });
});
