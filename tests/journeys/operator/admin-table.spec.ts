import { readFile } from "node:fs/promises";
import { connectAdmin } from "../../support/data-dir.ts";
import { holdWrites } from "../../support/forms.ts";
import type { Member } from "../../support/members.ts";
import { actOn, makeOperator, region, rowOf } from "../../support/operators-page.ts";
import { makePng, pathOf } from "../../support/pictures.ts";
import { expect, test } from "../../support/site.ts";

let operator: Member;
test.beforeEach(async ({ site, signIn }) => {
  operator = await makeOperator(site);
  await signIn(operator);
});

test("an operator opens a member's menu with the keyboard, moves in it, and gets back to its button, and the dialog of Remove shows how many items it deletes, and offers a copy of them", async ({
  page,
  site,
}) => {
  const member = await site.addMember({ full_name: "Ada Byron" });
  await site.add("articles", { author_id: member.id, title: "Kept", content: "x", published: false });
  const picture = makePng(4, 3);
  await site.admin.storage
    .from("pictures")
    .upload(pathOf(member.id, picture), picture.bytes, { contentType: "image/png" });
  await page.goto("/admin?members=ada+byron");
  const button = page.getByRole("button", { name: "Actions for Ada Byron" });
  const item = (name: string) => page.getByRole("menuitem", { name, exact: true });
  await expect(button).toHaveAttribute("aria-expanded", "false");
  await expect(page.getByRole("menuitem")).toHaveCount(0);
  await button.press("Enter");
  await expect(button).toHaveAttribute("aria-expanded", "true");
  await expect(item("Suspend")).toBeFocused();
  for (const [key, name] of [
    ["ArrowUp", "Remove"],
    ["ArrowDown", "Suspend"],
    ["End", "Remove"],
    ["Home", "Suspend"],
    ["c", "Clear Profile"],
    ["r", "Remove Content"],
    ["r", "Remove"],
    ["r", "Retire"],
  ] as const) {
    await page.keyboard.press(key);
    await expect(item(name)).toBeFocused();
  }
  await page.keyboard.press("Escape");
  await expect(button).toBeFocused();
  await expect(page.getByRole("menu")).toHaveCount(0);

  await test.step("the arrow keys open the menu, and Tab closes it", async () => {
    await button.press("ArrowUp");
    await expect(item("Remove")).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(page.getByRole("menu")).toHaveCount(0);
    await button.press("ArrowDown");
    await expect(item("Suspend")).toBeFocused();
  });

  await test.step("a press outside closes the menu, and so does one on its button", async () => {
    await page.getByRole("heading", { name: "Operators", exact: true }).click();
    await expect(page.getByRole("menu")).toHaveCount(0);
    await button.click();
    await expect(item("Suspend")).toBeFocused();
    await button.click();
    await expect(page.getByRole("menu")).toHaveCount(0);
  });

  await test.step("a dialog returns the focus to the menu's button", async () => {
    await button.press("ArrowUp");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("alertdialog", { name: "Remove" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(button).toBeFocused();
  });

  await test.step("the dialog of Remove shows how many items it deletes, and offers a copy of them", async () => {
    await actOn(rowOf(page, "Members", member.email), "Remove");
    const dialog = page.getByRole("alertdialog", { name: "Remove" });
    await expect(dialog).toContainText("1 item (1 article");
    await expect(dialog).toContainText("1 picture");
    const downloading = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Download" }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^techfolio-ada-byron-.*\.zip$/);
    const bytes = await readFile(await download.path());
    for (const name of ["articles/kept-", "pictures/", "profile.json"])
      expect(bytes.includes(name)).toBe(true);
    await expect(dialog.getByRole("status")).toContainText("The copy has been downloaded.");
  });
});

test.describe("rejected requests on the operators' page", () => {
  test.use({ expectedProblems: [/status of 422/] });

  test("an action on several members has one result for each, asks once, and the failed ones stay selected", async ({
    page,
    site,
  }) => {
    const members = [
      await site.addMember({ full_name: "Ada" }),
      await site.addMember({ full_name: "Grace" }),
    ];
    await page.goto("/admin");
    const table = region(page, "Members");
    await table.getByRole("checkbox", { name: "Select all" }).check();
    await table.getByRole("button", { name: "Suspend", exact: true }).click();
    const dialog = page.getByRole("alertdialog", { name: "Suspend" });
    await dialog.getByRole("button", { name: "Suspend" }).click();
    const results = page.getByRole("list", { name: "Results of Suspend" }).getByRole("listitem");
    await expect(results).toHaveCount(3);
    for (const { email } of members)
      await expect(results.filter({ hasText: email })).toContainText("is suspended");
    await expect(results.filter({ hasText: operator.email })).toContainText(
      "is the last operator of this site",
    );
    await expect(page.locator("[aria-live=polite]")).toContainText("Suspend: 2 of 3 done. 1 failed.");
    await expect(rowOf(page, "Members", operator.email)).toContainText("Suspend failed:");
    await expect(rowOf(page, "Members", operator.email).getByRole("checkbox")).toBeChecked();
    for (const { email } of members)
      await expect(rowOf(page, "Members", email).getByRole("checkbox")).not.toBeChecked();

    await test.step("Remove asks for the number of members, and the focus moves to the results", async () => {
      await table.getByRole("button", { name: "Clear Selection" }).click();
      for (const { email } of members) await rowOf(page, "Members", email).getByRole("checkbox").check();
      await table.getByRole("button", { name: "More actions for the selection" }).click();
      await table.getByRole("menuitem", { name: "Remove", exact: true }).click();
      const remove = page.getByRole("alertdialog", { name: "Remove" });
      await expect(remove.getByRole("button", { name: "Remove" })).toBeDisabled();
      await remove.getByLabel("Number of members").fill("2");
      await remove.getByRole("button", { name: "Remove" }).click();
      for (const { email } of members) await expect(rowOf(page, "Members", email)).toHaveCount(0);
      await expect(page.getByRole("list", { name: "Results of Remove" }).getByRole("listitem")).toHaveCount(
        2,
      );
      expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
    });
  });
});

test("an operator unpublishes and removes several items, and a picture has a thumbnail", async ({
  page,
  site,
}) => {
  const author_id = operator.id;
  for (const title of ["Pills", "Pills too", "Fine"])
    await site.add("articles", { author_id, title, content: "x", published: true });
  const picture = makePng(40, 30);
  const path = pathOf(operator.id, picture);
  const { error } = await site.admin.storage
    .from("pictures")
    .upload(path, picture.bytes, { contentType: "image/png" });
  expect(error).toBeNull();
  await page.goto("/admin");
  const content = region(page, "Content");
  await expect
    .poll(() =>
      rowOf(page, "Content", path)
        .locator("img")
        .evaluate((img: HTMLImageElement) => img.naturalWidth),
    )
    .toBe(40);
  await content.getByRole("checkbox", { name: "Pills", exact: true }).check();
  await content.getByRole("checkbox", { name: "Pills too", exact: true }).check();
  const bar = content.getByRole("group", { name: "Actions for 2 selected" });
  await bar.getByRole("button", { name: "Unpublish" }).click();
  await expect(page.getByRole("list", { name: "Results of Unpublish" }).getByRole("listitem")).toHaveCount(2);
  await expect(rowOf(page, "Content", "unpublished")).toHaveCount(2);
  await content.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("list", { name: "Results of Publish" }).getByRole("listitem")).toHaveCount(2);
  await expect(rowOf(page, "Content", "unpublished")).toHaveCount(0);
  const pills = rowOf(page, "Content", "Pills too");
  await pills.getByRole("button", { name: "Unpublish" }).click();
  await pills.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(pills.getByRole("button", { name: "Unpublish" })).toBeVisible();
  await content.getByRole("checkbox", { name: "Pills", exact: true }).check();
  await content.getByRole("checkbox", { name: path }).check();
  await bar.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByRole("list", { name: "Results of Remove" }).getByRole("listitem")).toHaveCount(2);
  await expect(content.getByRole("checkbox", { name: /^(Pills|.*png)$/ })).toHaveCount(0);
  await content.getByLabel("Kind").selectOption("Pictures");
  await expect(content).toContainText("No items were found.");
});

test("members are filtered by state and sorted by sign-in and storage, and the URL keeps the choice", async ({
  page,
  site,
}) => {
  const large = await site.addMember({ full_name: "Large" });
  await site.add("articles", {
    author_id: large.id,
    title: "Long",
    content: "x".repeat(300_000),
    published: true,
  });
  await site.openSession(await site.addMember({ full_name: "Here" }));
  const gone = await site.addMember({ full_name: "Gone" });
  await site.admin.auth.admin.updateUserById(gone.id, { ban_duration: "24h" });
  await page.goto("/admin");
  const members = region(page, "Members");
  await members.getByLabel("Sort").selectOption("Most Storage");
  await expect(rowOf(page, "Members", "").first()).toContainText("Large");
  await expect(members.getByRole("columnheader", { name: "Storage" })).toHaveAttribute(
    "aria-sort",
    "descending",
  );
  await members.getByLabel("Sort").selectOption("Latest Sign-In");
  await expect(rowOf(page, "Members", "").first()).toContainText("Here");
  await members.getByLabel("State").selectOption("Suspended");
  await expect(rowOf(page, "Members", "")).toHaveCount(1);
  await page.reload();
  await expect(rowOf(page, "Members", "")).toHaveCount(1);
  await expect(rowOf(page, "Members", "Gone").getByRole("button", { name: "Unsuspend" })).toBeVisible();
});

test("a row shows its pending action, and the focus stays in the row when the pressed button disappears", async ({
  page,
  site,
}) => {
  const member = await site.addMember({ full_name: "Gone" });
  await site.admin.auth.admin.updateUserById(member.id, { ban_duration: "24h" });
  await page.goto("/admin");
  const row = rowOf(page, "Members", member.email);
  const held = await holdWrites(page, "**/admin/v1/members/*/unsuspend");
  await row.getByRole("button", { name: "Unsuspend" }).click();
  await held.arrived;
  await expect(row).toContainText(`Unsuspend: ${member.email}…`);
  held.release();
  await expect(row).not.toContainText("Unsuspend");
  await expect(page.getByRole("button", { name: "Actions for Gone" })).toBeFocused();
});

test("an operator searches the log and downloads it as CSV", async ({ page, site }) => {
  const author_id = operator.id;
  const title = '=HYPERLINK("https://evil.example","Click")';
  await site.add("articles", { author_id, title, content: "x", published: true });
  await site.add("articles", { author_id, title: "Other", content: "x", published: true });
  await page.goto("/admin");
  for (const text of [title, "Other"]) {
    await rowOf(page, "Content", text).getByRole("button", { name: "Unpublish" }).click();
    await expect(rowOf(page, "Log", text)).toHaveCount(1);
  }
  const log = region(page, "Log");
  const search = page.getByRole("searchbox", { name: "Search log" });
  await search.fill("hyperlink");
  await expect(rowOf(page, "Log", "")).toHaveCount(1);
  await search.fill("article unpublished");
  // The log also has the actions of earlier tests.
  await expect(rowOf(page, "Log", "Other").first()).toBeVisible();
  const downloading = page.waitForEvent("download");
  await log.getByRole("button", { name: "Download CSV" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("techfolio-log.csv");
  const lines = (await readFile(await download.path(), "utf8")).split("\r\n");
  expect(lines[0]).toBe("time,operator,source,action,target,details");
  expect(lines[1]).toContain(`,${operator.email},page,article.unpublished,Other,`);
  expect(lines[2]).toContain(',"\'=HYPERLINK(""https://evil.example"",""Click"")",');
});

test("with 60 members, 60 items and a phone's width, the page is a few screens high", async ({
  page,
  site,
}) => {
  // Earlier tests have left entries in the log.
  const database = await connectAdmin(site.dataDir);
  await database.query("delete from public.operator_log");
  await database.end();
  const author_id = operator.id;
  const articles = Array.from({ length: 60 }, (_, number) => ({
    author_id,
    title: `Article ${number}`,
    content: "x",
  }));
  await site.admin.from("articles").insert(articles).throwOnError();
  await site.addMembers(Array.from({ length: 59 }, () => ({ full_name: "Colleague" })));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/admin");
  await expect(rowOf(page, "Members", "")).toHaveCount(20);
  await expect(rowOf(page, "Content", "")).toHaveCount(20);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(9_000);
});
