import type { Page } from "@playwright/test";
import { ARTICLES, field, startEditing, storedTitles, valuesOf } from "../../support/forms.ts";
import { expect, test } from "../../support/site.ts";
import { expectTitles } from "../../support/visiting.ts";

test.describe("an item that was changed or deleted elsewhere after the form was opened", () => {
  // The window is too small for the whole form, so the page must scroll to the notice.
  test.use({ viewport: { width: 390, height: 640 } });

  const notice = (page: Page) => page.getByRole("status").filter({ hasText: "newer version" });

  test("after an item was changed elsewhere, its owner can show the newer version, cancel the edit or overwrite the newer version", async ({
    page,
    site,
    member,
  }) => {
    const { id } = await site.add("articles", { author_id: member.id, title: "Mine", content: "One" });
    const stored = site.admin.from("articles");
    const readStored = async () => (await stored.select("title, content").eq("id", id).single()).data;

    /** Changes the item elsewhere while the member edits it, and tries to save the edit. */
    async function causeConflict(theirs: string) {
      await stored.update({ content: theirs }).eq("id", id).throwOnError();
      await field(page, "Title").fill("Mine, changed");
      await page.getByRole("button", { name: "Update Article" }).click();
      await expect(notice(page)).toBeInViewport();
      await expect(page.locator("[aria-live=polite]")).toContainText("There is a newer version of this item");
      expect(await readStored(), "nothing is overwritten").toEqual({ title: "Mine", content: theirs });
      expect(await valuesOf(page, ARTICLES)).toMatchObject({ Title: "Mine, changed" });
    }

    await page.goto("/articles");
    await startEditing(page, ARTICLES, "Mine");
    await test.step("Show Newer Version replaces the member's edit with the version that was saved elsewhere", async () => {
      await causeConflict("Theirs");
      await page.getByRole("button", { name: "Show Newer Version" }).click();
      await expect(field(page, "Content (Markdown)")).toHaveValue("Theirs");
      await expect(page.getByRole("heading", { name: "Edit Article" })).toBeFocused();
      await expect(notice(page)).toHaveCount(0);
    });

    await test.step("after Cancel, the notice disappears and does not return when the member edits the item again", async () => {
      await causeConflict("Theirs again");
      await page.getByRole("button", { name: "Cancel" }).click();
      await expect(notice(page)).toHaveCount(0);
      await startEditing(page, ARTICLES, "Mine");
      await expect(field(page, "Content (Markdown)")).toHaveValue("Theirs again");
      await expect(notice(page)).toHaveCount(0);
      await page.getByRole("button", { name: "Update Article" }).click();
      await expect(page.getByRole("heading", { name: "Create New Article" })).toBeVisible();
    });

    await test.step("Save Mine overwrites the version that was saved elsewhere", async () => {
      await startEditing(page, ARTICLES, "Mine");
      await causeConflict("Theirs at last");
      await page.getByRole("button", { name: "Save Mine" }).click();
      await expectTitles(page).toEqual(["Mine, changed"]);
      await expect(page.getByRole("article").getByRole("heading", { name: "Mine, changed" })).toBeFocused();
      expect(await readStored()).toEqual({ title: "Mine, changed", content: "Theirs again" });
    });
  });

  test("Update does not recreate an item that was deleted elsewhere, but Save as New does, and Discard Mine drops the edit and shows the list", async ({
    page,
    site,
    member,
  }) => {
    await test.step("Discard Mine drops the edit and shows the list", async () => {
      for (const isOnItemPage of [false, true]) {
        const { id } = await site.add("articles", { author_id: member.id, title: "Mine", content: "One" });
        await page.goto(isOnItemPage ? `/articles/${id}` : "/articles");
        await startEditing(page, ARTICLES, "Mine");
        await site.admin.from("articles").delete().eq("id", id).throwOnError();
        await page.getByRole("button", { name: "Update Article" }).click();
        await page.getByRole("button", { name: "Discard Mine" }).click();
        const heading = isOnItemPage ? "Articles" : "Create New Article";
        await expect(page.getByRole("heading", { name: heading, exact: true })).toBeFocused();
        await expect(page).toHaveURL("/articles");
        await expect(page.getByRole("article")).toHaveCount(0);
      }
    });
    await test.step("Update does not recreate the item, but Save as New does", async () => {
      const { id } = await site.add("articles", { author_id: member.id, title: "Mine", content: "One" });
      await page.goto("/articles");
      await startEditing(page, ARTICLES, "Mine");
      await site.admin.from("articles").delete().eq("id", id).throwOnError();
      await page.getByRole("button", { name: "Update Article" }).click();
      await expect(page.getByRole("status").filter({ hasText: "deleted elsewhere" })).toBeInViewport();
      await expect(page.locator("[aria-live=polite]")).toContainText("This item was deleted elsewhere");
      expect(await storedTitles(site, ARTICLES)).toEqual([]);
      await page.getByRole("button", { name: "Save as New" }).click();
      await expect.poll(() => storedTitles(site, ARTICLES)).toEqual(["Mine"]);
      await expect(page.getByRole("heading", { name: "Create New Article" })).toBeVisible();
      await expect(page.getByRole("article").getByRole("heading", { name: "Mine" })).toBeFocused();
    });
  });
});
