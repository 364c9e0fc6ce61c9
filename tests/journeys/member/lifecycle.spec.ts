import type { Page } from "@playwright/test";
import { ARTICLES, addItem, CONTENT_FORMS, field, startEditing } from "../../support/forms.ts";
import { makePng } from "../../support/pictures.ts";
import { resourcesOf, watchResources } from "../../support/resources.ts";
import { expect, test } from "../../support/site.ts";
import { hydrated } from "../../support/visiting.ts";

/** More pixels than a picture in a text may have, so that a worker makes it smaller. */
const TOO_WIDE = 2_600;

/** Opens a page without loading another document, also if no link of this page leads to it. */
async function navigate(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    type Router = { navigate(to: string): Promise<void> };
    void (window as unknown as { __reactRouterDataRouter: Router }).__reactRouterDataRouter.navigate(to);
  }, path);
}

test("pages and forms end their listeners, intervals, observers, workers and requests when the member leaves them", async ({
  page,
  site,
  member,
}) => {
  for (const form of CONTENT_FORMS) await addItem(site, form, member.id, "Mine");
  const { id } = await addItem(site, ARTICLES, member.id, "Shown alone");
  await watchResources(page);
  await page.goto("/");
  await hydrated(page);
  const main = page.getByRole("heading", { level: 1 });

  for (const form of CONTENT_FORMS) {
    await navigate(page, form.path);
    await startEditing(page, form, "Mine");
    if (form === ARTICLES) {
      await expect(page.getByRole("region", { name: "Preview" }).locator(".prose")).toBeVisible();
      const chooser = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: "Add Picture" }).click();
      const buffer = makePng(TOO_WIDE, 20).bytes;
      await (await chooser).setFiles([{ name: "wide.png", mimeType: "image/png", buffer }]);
      await expect(field(page, form.dirtyField)).toHaveValue(/\/pictures\//);
    }
    // The page also ends what belongs to a draft, such as the times at which it is saved.
    await field(page, "Title").fill("Not saved");
    await navigate(page, "/");
    await page.getByRole("alertdialog").getByRole("button", { name: "Leave" }).click();
    await expect(page).toHaveURL("/");
  }
  for (const path of ["/profile", "/people", "/search", `/profile/${member.id}`, `/articles/${id}`]) {
    await navigate(page, path);
    await expect(page).not.toHaveURL("/");
    await expect(main).toBeVisible();
    await navigate(page, "/");
    await expect(page).toHaveURL("/");
  }
  // React ends the effects of a page a moment after it has removed the page.
  const fresh = await page.context().newPage();
  await watchResources(fresh);
  await fresh.goto("/");
  await hydrated(fresh);
  await expect(async () => expect(await resourcesOf(page)).toEqual(await resourcesOf(fresh))).toPass();
});
