import { violations } from "../../support/axe.ts";
import { ADA, BUTTON, test } from "../../support/single-sign-on-site.ts";
import { expect } from "../../support/site.ts";

test.use({ passwords: "off" });

test("the form has only the provider's button, and a visitor signs in with it", async ({
  page,
  provider,
}) => {
  provider.setPerson(ADA);
  await page.goto("/profile");
  await expect(page.getByRole("button", { name: BUTTON })).toBeEnabled();
  await expect(page.getByLabel("Email address")).toBeHidden();
  await expect(page.getByLabel("Password")).toBeHidden();
  await expect(page.getByText("Forgot your password?")).toBeHidden();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: BUTTON }).click();
  await expect(page.getByLabel("Full Name")).toHaveValue("Ada Marlowe");
});

test("a person who cancels sees the reason", async ({ page, provider }) => {
  provider.setPerson(undefined);
  await page.goto("/profile");
  await page.getByRole("button", { name: BUTTON }).click();
  await expect(page.getByRole("alert")).toHaveText("The sign-in was cancelled.");
});

test("without scripts, the form shows that signing in needs them", async ({ browser, site }) => {
  const context = await browser.newContext({ baseURL: site.url, javaScriptEnabled: false });
  const visitor = await context.newPage();
  await visitor.goto("/profile");
  await expect(visitor.getByRole("button", { name: BUTTON })).toBeDisabled();
  expect(await visitor.content()).toContain("Signing in needs JavaScript.");
  await context.close();
});
