import type { Page } from "@playwright/test";
import { violations } from "../../support/axe.ts";
import {
  ARTICLES,
  addItem,
  type ContentForm,
  FAILED_REQUESTS,
  field,
  openForm,
  SAMPLES,
  startEditing,
  valuesOf,
} from "../../support/forms.ts";
import type { Member } from "../../support/members.ts";
import { expect, type Site, test } from "../../support/site.ts";
import { expectTitles } from "../../support/visiting.ts";

const disclosure = (page: Page) => page.getByText("Earlier Versions", { exact: true });
const entries = (page: Page) => page.getByRole("button", { name: /^Until / });

async function update(page: Page, form: ContentForm, title: string, label: string, text: string) {
  await startEditing(page, form, title);
  await field(page, label).fill(text);
  await page.getByRole("button", { name: form.updateButton }).click();
  await page.getByRole("heading", { name: form.createHeading }).waitFor();
}

/** Sends a request with the member's own session, because only members' changes keep versions. */
async function send(
  { request }: Page,
  site: Site,
  member: Member,
  method: string,
  path: string,
  data?: object,
) {
  const { access_token } = await site.openSession(member);
  const headers = { apikey: site.keys.anonKey, authorization: `Bearer ${access_token}` };
  const response = await request.fetch(`/rest/v1/${path}`, { method, headers, ...(data && { data }) });
  expect(response.ok()).toBe(true);
}

test("a member compares an earlier version with the form and with another version, uses it and saves it", async ({
  page,
  site,
  member,
}) => {
  const form = ARTICLES;
  const label = form.dirtyField;
  const before = form.fields[label] ?? "";
  await addItem(site, form, member.id, "Mine");
  await openForm(page, form);
  await update(page, form, "Mine", label, "second text");
  await update(page, form, "Mine", label, "third text");
  await startEditing(page, form, "Mine");
  await disclosure(page).click();
  await expect(entries(page)).toHaveCount(2);
  // The seconds are shown if both saves were in the same minute.
  const time = /^Until [A-Z][a-z]{2} \d+, \d{4}, \d+:\d\d(:\d\d)?\s[AP]M/;
  await expect(entries(page).first()).toHaveText(new RegExp(`${time.source}\\+1 −1 words$`));
  await expect(entries(page).last()).toHaveText(new RegExp(`${time.source}\\+2 −4 words$`));

  await entries(page).first().click();
  const differences = page.locator(".differences");
  await expect(differences.getByRole("insertion")).toContainText("second");
  await expect(differences.getByRole("deletion")).toContainText("third");
  await expect(differences.getByRole("insertion")).toHaveCSS("text-decoration-line", "underline");
  await expect(differences.getByRole("deletion")).toHaveCSS("text-decoration-line", "line-through");

  await page.getByLabel("Compare with").selectOption({ index: 1 });
  await expect(differences.getByRole("deletion").last()).toContainText("emphasis");
  await expect(differences.getByRole("insertion").first()).toContainText("second");
  await expect(page.getByText("What this version adds to the version until")).toBeVisible();

  await entries(page).last().click();
  await expect(page.getByRole("button", { name: "Use This Version" })).toHaveCount(1);
  await page.getByRole("button", { name: "Use This Version" }).click();
  await expect(field(page, "Title")).toBeFocused();
  expect(await valuesOf(page, form)).toMatchObject({ [label]: before });
  const stored = async () =>
    Object.values((await site.admin.from(form.table).select("*").single().throwOnError()).data ?? {});
  expect(await stored(), "Use This Version doesn't save it").toContain("third text");

  await page.getByRole("button", { name: form.updateButton }).click();
  await page.getByRole("heading", { name: form.createHeading }).waitFor();
  expect(await stored()).toContain(before);
});

test("an unchanged item has no earlier versions, a version can equal the form, and Use This Version keeps unsaved edits as a draft", async ({
  page,
  site,
  member,
}) => {
  await addItem(site, ARTICLES, member.id, "Mine");
  await openForm(page, ARTICLES);
  await startEditing(page, ARTICLES, "Mine");
  await disclosure(page).click();
  await expect(page.getByText("There are no earlier versions yet.")).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();

  await update(page, ARTICLES, "Mine", "Content (Markdown)", "Changed");
  await startEditing(page, ARTICLES, "Mine");
  await disclosure(page).click();
  await entries(page).click();
  await page.getByRole("button", { name: "Use This Version" }).click();
  await expect(page.getByText("This version is the same as the form.")).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Discard" }).click();

  await test.step("Use This Version keeps unsaved edits as a draft", async () => {
    await startEditing(page, ARTICLES, "Mine");
    await field(page, "Content (Markdown)").fill("typed and not saved");
    await disclosure(page).click();
    await entries(page).click();
    await page.getByRole("button", { name: "Use This Version" }).click();
    await expect(field(page, "Content (Markdown)")).toHaveValue("Some *emphasis* of mine");
    await page.getByRole("button", { name: ARTICLES.updateButton }).click();
    await page.getByRole("heading", { name: ARTICLES.createHeading }).waitFor();

    await page.getByRole("button", { name: "Restore" }).click();
    await expect(page.getByRole("heading", { name: ARTICLES.editHeading })).toBeVisible();
    await expect(field(page, "Content (Markdown)")).toHaveValue("typed and not saved");
  });
});

test("the differences between an earlier version and the form fit widths from 390 to 1920 pixels, are below each other if more than half of a text has changed, and axe finds no violations", async ({
  page,
  site,
  member,
}) => {
  const { id } = await site.add("code_samples", {
    profile_id: member.id,
    title: "Mine",
    language: "sql",
    code_content: `select ${"column_name, ".repeat(20)}\nfrom a;\n`,
  });
  const changed = { code_content: "select 1\nfrom a;\n" };
  await send(page, site, member, "PATCH", `code_samples?id=eq.${id}`, changed);
  await openForm(page, SAMPLES);
  await startEditing(page, SAMPLES, "Mine");
  await disclosure(page).click();
  await entries(page).first().click();
  const differences = page.locator(".differences");
  await expect(differences.getByRole("insertion")).toContainText("+ select column_name");
  await expect(differences.getByRole("deletion")).toContainText("- select 1");
  for (const width of [390, 768, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `${width} pixels`).toBe(width);
  }
  expect(await violations(page)).toEqual([]);

  await test.step("if more than half of a text has changed, the version and the form are below each other", async () => {
    const content = "one two three four five six seven eight nine ten";
    const { id } = await site.add("articles", { author_id: member.id, title: "Mine", content });
    const changed = { content: "eins zwei drei vier fünf sechs sieben acht neun ten" };
    await send(page, site, member, "PATCH", `articles?id=eq.${id}`, changed);
    await openForm(page, ARTICLES);
    await startEditing(page, ARTICLES, "Mine");
    await disclosure(page).click();
    await entries(page).first().click();
    await expect(page.getByRole("figure")).toHaveText([/^This version\s*one two/, /^The form\s*eins zwei/]);
    expect(await violations(page)).toEqual([]);
  });
});

/** The reads of "Your Items", unlike those of "Recently Deleted". */
const readsOwnItems = ({ searchParams }: URL) =>
  searchParams.get("select")?.startsWith("id,title,created_at") ?? false;

test("Recently Deleted shows a preview and restores an item to its place in the list, the feed and the sitemap", async ({
  page,
  site,
  member,
}) => {
  const old = await site.add("articles", {
    author_id: member.id,
    title: "Old",
    content: "Text of the old one",
    published: true,
    created_at: "2020-01-01T00:00:00Z",
  });
  await addItem(site, ARTICLES, member.id, "New");
  for (const title of ["Old", "New"]) await send(page, site, member, "DELETE", `articles?title=eq.${title}`);
  await addItem(site, ARTICLES, member.id, "Middle");
  await page.goto("/profile");
  const section = page.getByRole("region", { name: "Recently Deleted" });
  await expect(section.getByRole("button", { name: /^Restore / })).toHaveCount(2);
  await section.locator("li").filter({ hasText: "Old" }).getByText("Preview").click();
  await expect(section.getByText("Text of the old one")).toBeVisible();
  for (const width of [390, 768, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `${width} pixels`).toBe(width);
  }
  expect(await violations(page)).toEqual([]);

  await section.getByRole("button", { name: "Restore Old" }).click();
  await expect(section.getByRole("button", { name: "Restore Old" })).toHaveCount(0);
  await expect(section.getByRole("button", { name: "Restore New" })).toBeFocused();
  await expect(page.locator("[aria-live=polite]")).toContainText("Restored Old");
  await page.goto("/articles");
  await expectTitles(page).toEqual(["Middle", "Old"]);
  const feed = await (await page.request.get("/feed.xml")).text();
  expect(feed).toContain("Text of the old one");
  expect(feed).toContain("<published>2020-01-01T00:00:00");
  expect(await (await page.request.get("/sitemaps/articles-1.xml")).text()).toContain(
    `-${old.id.slice(-12)}</loc>`,
  );

  await page.goto("/profile");
  await expect(section.getByRole("button", { name: /^Restore / })).toHaveCount(1);
});

test("items that are restored as fast as the keyboard allows keep the focus, which ends on the page's heading, and Recently Deleted lists 100 items until Show More adds and announces the rest and focuses the first of them", async ({
  page,
  site,
  member,
}) => {
  await test.step("items are restored as fast as the keyboard allows", async () => {
    for (const title of ["First", "Second", "Third"]) await addItem(site, ARTICLES, member.id, title);
    for (const title of ["First", "Second", "Third"])
      await send(page, site, member, "DELETE", `articles?title=eq.${title}`);
    await page.goto("/profile");
    const restore = (title: string) => page.getByRole("button", { name: `Restore ${title}` });
    await restore("Second").focus();
    for (const title of ["Second", "First", "Third"]) {
      await expect(restore(title)).toBeFocused();
      // The second press finds the row restored.
      await page.keyboard.press("Enter");
      await page.keyboard.press("Enter");
    }
    await expect(page.getByRole("heading", { name: "Profile", exact: true })).toBeFocused();
    await expect(page.getByText("There are no deleted items from the last 30 days.")).toBeVisible();
    await page.goto("/articles");
    await expectTitles(page).toEqual(["Third", "Second", "First"]);
  });

  await test.step("Recently Deleted lists 100 items, and Show More shows the rest", async () => {
    const rows = Array.from({ length: 103 }, (_, number) => ({
      profile_id: member.id,
      title: `Link ${number}`,
      url: "https://example.test/",
      category: "Many",
    }));
    await site.admin.from("useful_links").insert(rows).throwOnError();
    await send(page, site, member, "DELETE", `useful_links?profile_id=eq.${member.id}`);

    await page.goto("/profile");
    const section = page.getByRole("region", { name: "Recently Deleted" });
    const items = section.getByRole("button", { name: /^Restore / });
    await expect(items).toHaveCount(100);
    await section.getByRole("button", { name: "Show More" }).click();
    await expect(items).toHaveCount(103);
    await expect(items.nth(100)).toBeFocused();
    await expect(page.locator("[aria-live=polite]")).toContainText("3 more items.");
    await expect(section.getByRole("button", { name: "Show More" })).toHaveCount(0);
  });
});

test.describe("versions that can't be read", () => {
  test.use({ expectedProblems: FAILED_REQUESTS });

  test("Recently Deleted is shown if the items above it can't be read, or only after seconds, when the links to the sections already work", async ({
    page,
    site,
    member,
  }) => {
    await addItem(site, ARTICLES, member.id, "Deleted");
    await send(page, site, member, "DELETE", "articles?title=eq.Deleted");
    await page.route(readsOwnItems, (route) => route.fulfill({ status: 500, body: "" }));
    await page.goto("/profile");
    await expect(page.getByText("Your items could not be read.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Restore Deleted" })).toBeVisible();

    await page.unroute(readsOwnItems);
    await page.route(readsOwnItems, () => undefined);
    await page.goto("/profile");
    const sections = page.getByRole("navigation", { name: "Sections of your profile" });
    await sections.getByRole("link", { name: "Password" }).click();
    await expect(page.getByRole("region", { name: "Password" })).toBeFocused();
    await expect(page.getByRole("heading", { name: "Password" })).toBeInViewport();
    await expect(page.getByRole("button", { name: "Restore Deleted" })).toBeVisible();
  });

  test("if Recently Deleted or Earlier Versions can't be read, Try Again reads them", async ({
    page,
    site,
    member,
  }) => {
    await addItem(site, ARTICLES, member.id, "Kept");
    await page.route("**/rest/v1/versions*", (route) => route.fulfill({ status: 500, body: "" }));

    await page.goto("/profile");
    const section = page.getByRole("region", { name: "Recently Deleted" });
    await expect(section.getByRole("alert")).toContainText("Your deleted items could not be read.");
    await page.unroute("**/rest/v1/versions*");
    await section.getByRole("button", { name: "Try Again" }).click();
    await expect(section).toContainText("There are no deleted items from the last 30 days.");

    await page.route("**/rest/v1/versions*", (route) => route.fulfill({ status: 500, body: "" }));
    await openForm(page, ARTICLES);
    await startEditing(page, ARTICLES, "Kept");
    await disclosure(page).click();
    await expect(page.getByText("The versions could not be read.")).toBeVisible();
    await page.unroute("**/rest/v1/versions*");
    await page.getByRole("button", { name: "Try Again" }).click();
    await expect(page.getByText("There are no earlier versions yet.")).toBeVisible();
  });
});
