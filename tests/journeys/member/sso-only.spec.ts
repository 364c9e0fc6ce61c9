import { violations } from "../../support/axe.ts";
import { ADA, BUTTON, SITE_NAME, testSingleSignOnSite } from "../../support/single-sign-on-site.ts";
import { expect } from "../../support/site.ts";

const test = testSingleSignOnSite("off");

test("the form has only the provider's button, and a visitor who cancels sees the reason and then signs in with it", async ({
  page,
  provider,
}) => {
  await page.goto("/profile");
  await expect(page.getByRole("button", { name: BUTTON })).toBeEnabled();
  await expect(page.getByLabel("Email address")).toBeHidden();
  await expect(page.getByLabel("Password")).toBeHidden();
  await expect(page.getByText("Forgot your password?")).toBeHidden();
  expect(await violations(page)).toEqual([]);

  provider.setPerson(undefined);
  await page.getByRole("button", { name: BUTTON }).click();
  await expect(page.getByRole("alert")).toHaveText("The sign-in was cancelled.");
  provider.setPerson(ADA);
  await page.getByRole("button", { name: BUTTON }).click();
  await expect(page.getByLabel("Full Name")).toHaveValue("Ada Marlowe");
});

test("without scripts, the form shows that signing in needs them", async ({ browser, site }) => {
  const context = await browser.newContext({ baseURL: site.url, javaScriptEnabled: false });
  const visitor = await context.newPage();
  await visitor.goto("/profile");
  await expect(visitor.getByRole("button", { name: BUTTON })).toBeDisabled();
  expect(await visitor.content()).toContain("Signing in needs JavaScript.");
  await context.close();
});

// This file's site has its own name and logo, and starting another one takes seconds.
test("on a phone, a wide logo is shown whole, and a long site name ends in an ellipsis on one line", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/articles");
  const link = page.getByRole("banner").getByRole("link").first();
  await expect(link).toContainText(SITE_NAME);
  await expect(link.locator("img")).toHaveCSS("object-fit", "contain");
  const box = await link.boundingBox();
  expect(box?.height, "one line").toBeLessThanOrEqual(48);
  expect((box?.x ?? 0) + (box?.width ?? 0), "inside the screen").toBeLessThanOrEqual(390);
  const name = link.locator("span");
  await expect(name).toHaveCSS("text-overflow", "ellipsis");
  expect((await name.boundingBox())?.width, "part of the name").toBeGreaterThan(60);
});
