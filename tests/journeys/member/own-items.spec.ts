import type { Page } from "@playwright/test";
import { violations } from "../../support/axe.ts";
import { ARTICLES, FAILED_REQUESTS, failNextWrite, LINKS } from "../../support/forms.ts";
import { expect, test } from "../../support/site.ts";
import { hydrated } from "../../support/visiting.ts";

const PAGE = 50;

const region = (page: Page) => page.getByRole("region", { name: "Your Items" });
const titles = (page: Page) => region(page).getByRole("row").getByRole("checkbox");
const button = (page: Page, name: string) => region(page).getByRole("button", { name, exact: true });

test.use({ expectedProblems: FAILED_REQUESTS });

test("a member finds, publishes, deletes and restores several of their items at once, and opens one for editing", async ({
  page,
  site,
  member,
}) => {
  const other = await site.addMember();
  await site.add("articles", { author_id: other.id, title: "Not mine", ...ARTICLES.row });
  const links = Array.from({ length: PAGE }, (_, index) => ({
    profile_id: member.id,
    title: `Link ${index}`,
    ...LINKS.row,
    created_at: `2025-01-${String((index % 28) + 1).padStart(2, "0")}T12:00:00+00:00`,
  }));
  await site.admin.from("useful_links").insert(links).throwOnError();
  const articles = ["50% done", "A_b", "Cöde"].map((title, index) => ({
    author_id: member.id,
    title,
    ...ARTICLES.row,
    published: false,
    created_at: `2026-02-0${index + 1}T12:00:00+00:00`,
  }));
  await site.admin.from("articles").insert(articles).throwOnError();
  await page.goto("/profile");
  await hydrated(page);

  await test.step("the newest 50 are shown, and Show More shows the rest", async () => {
    await expect(titles(page)).toHaveCount(PAGE);
    await expect(titles(page).first()).toHaveAccessibleName("Cöde");
    await expect(region(page)).not.toContainText("Not mine");
    await button(page, "Show More").click();
    await expect(titles(page)).toHaveCount(PAGE + 3);
    await expect(button(page, "Show More")).toHaveCount(0);
    const rows = region(page).locator("tbody").getByRole("row");
    await expect(rows.nth(PAGE).getByRole("link").first()).toBeFocused();
    await expect(page.locator("[aria-live=polite]")).toContainText("3 more items.");
  });

  await test.step("an action keeps the shown items on the page", async () => {
    const last = region(page).locator("tbody").getByRole("row").last();
    const title = await last.getByRole("link").first().textContent();
    await last.getByRole("checkbox").check();
    await button(page, "Delete").click();
    await expect(titles(page)).toHaveCount(PAGE + 2);
    const restore = page.getByRole("button", { name: `Restore ${title}` });
    await expect(restore, "Recently Deleted shows the item").toBeVisible();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(titles(page)).toHaveCount(PAGE + 3);
    await expect(restore).toHaveCount(0);
    await expect(region(page).locator("tbody").getByRole("row").last()).toContainText(title ?? "");
  });

  await test.step("search, kind and state narrow the table, and characters of patterns have no meaning", async () => {
    for (const [text, found] of [
      ["50%", ["50% done"]],
      ["a_B", ["A_b"]],
      ["nothing like it", []],
    ] as const) {
      await region(page).getByLabel("Search your items").fill(text);
      await expect(titles(page)).toHaveCount(found.length);
      for (const title of found)
        await expect(region(page).getByRole("checkbox", { name: title })).toBeVisible();
    }
    await expect(region(page)).toContainText("None of your items match.");
    await expect(page.locator("[aria-live=polite]")).toContainText("None of your items match.");
    await region(page).getByLabel("Search your items").fill("");
    await region(page).getByLabel("State").selectOption("Unpublished");
    await expect(titles(page)).toHaveCount(3);
    await expect(page.locator("[aria-live=polite]")).toContainText("3 items.");
    await region(page).getByLabel("Kind").selectOption("Useful Links");
    await expect(titles(page)).toHaveCount(0);
    await region(page).getByLabel("Kind").selectOption("Articles");
    await expect(titles(page)).toHaveCount(3);
  });

  await test.step("Publish applies to the selection", async () => {
    await region(page).getByLabel("State").selectOption("All States");
    await region(page).getByRole("checkbox", { name: "Select all" }).check();
    await expect(region(page)).toContainText("3 selected");
    await button(page, "Publish").click();
    await expect(region(page).getByRole("cell", { name: "Published", exact: true })).toHaveCount(3);
    await expect(button(page, "Publish")).toBeFocused();
    await expect(page.locator("[aria-live=polite]")).toContainText("3 items published.");
    const stored = await site.admin
      .from("articles")
      .select("id")
      .eq("published", true)
      .eq("author_id", member.id);
    expect(stored.data).toHaveLength(3);
  });

  await test.step("Delete applies to the selection, and one Undo restores all, also after a failure", async () => {
    for (const title of ["50% done", "A_b"])
      await region(page).getByRole("checkbox", { name: title }).check();
    await button(page, "Delete").click();
    const notice = page.getByRole("status").filter({ hasText: /2 items/ });
    await expect(notice).toContainText("Deleted 2 items.");
    await expect(notice).toBeFocused();
    await expect(titles(page)).toHaveCount(1);
    await failNextWrite(page, "**/rest/v1/articles*");
    await notice.getByRole("button", { name: "Undo" }).click();
    await expect(notice).toContainText("2 items could not be restored. Try again in a moment.");
    await notice.getByRole("button", { name: "Undo" }).click();
    await expect(titles(page)).toHaveCount(3);
    await expect(notice).toHaveCount(0);
  });

  await test.step("an action that fails for one item leaves it selected", async () => {
    await region(page).getByRole("checkbox", { name: "Select all" }).check();
    await failNextWrite(page, "**/rest/v1/articles*");
    await button(page, "Unpublish").click();
    await expect(region(page)).toContainText("1 item could not be unpublished. Try again.");
    await expect(region(page)).toContainText("1 selected");
    await expect(region(page).getByRole("cell", { name: "Unpublished", exact: true })).toHaveCount(2);
  });

  await test.step("the region has no accessibility violations, and Edit opens the item's page with the form", async () => {
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    await region(page).getByRole("link", { name: "Edit A_b" }).click();
    await expect(page.getByRole("heading", { name: "Edit Article" })).toBeVisible();
    await expect(page.getByLabel("Title", { exact: true })).toHaveValue("A_b");
    await expect(page.getByLabel("Title", { exact: true })).toBeFocused();
    await expect(page).toHaveURL(/\/articles\/a-b-[0-9a-f]{12}$/);
  });
});
