import { expect, test } from "../../support/site.ts";
import { hydrated } from "../../support/visiting.ts";

test.use({ expectedProblems: [/Failed to (load resource|fetch)|dynamically imported module/] });

test("a member's tab that was open during a deploy reloads once and shows the form", async ({
  page,
  member,
}) => {
  expect(member).toBeDefined();
  await page.goto("/");
  await hydrated(page);
  let failures = 0;
  // The old build's file is gone; the new document names the new one.
  await page.route(/\/assets\/profile-editor-.*\.js$/, (route) => {
    failures++;
    return failures === 1 ? route.fulfill({ status: 404 }) : route.continue();
  });
  await page.getByRole("link", { name: "Profile", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Profile Information" })).toBeVisible();
  expect(failures).toBe(2);
});

test("code that still fails to load after the reload shows an error, and the page does not reload again", async ({
  page,
  member,
}) => {
  expect(member).toBeDefined();
  await page.goto("/");
  await hydrated(page);
  await page.route(/\/assets\/profile-editor-.*\.js$/, (route) => route.fulfill({ status: 404 }));
  await page.getByRole("link", { name: "Profile", exact: true }).click();
  await expect(page.getByText("This part of the page could not be loaded.")).toBeVisible();
});
