import type { Page } from "@playwright/test";
import { itemPath } from "../../../common/data/addresses.ts";
import { violations } from "../../support/axe.ts";
import { ARTICLES, addItem, CONTENT_FORMS } from "../../support/forms.ts";
import { HOSTILE_TEXT } from "../../support/hostile-text.ts";
import { expect, type Site, test } from "../../support/site.ts";
import { gotoRendered, hydrated, layoutShift, rendered, watchShifts } from "../../support/visiting.ts";

const canonicalOf = (page: Page) => page.locator("link[rel=canonical]").getAttribute("href");
const pathOf = (address: string | null) => new URL(address ?? "").pathname;

/** Adds a member with two skills and one item of each kind. Returns the member's id and the paths of the items' pages. */
async function addPortfolio(site: Site, names = { username: "ada", full_name: "Ada Lovelace" }) {
  const { id } = await site.addMember({
    ...names,
    bio: "Mathematician.\nWrites the first programs.",
    current_title: "Analyst",
    company: "Engines & Co",
    years_experience: 12,
    featured_skills: ["Bernoulli numbers", "Notes"],
    linkedin_url: "https://linkedin.example/in/ada",
  });
  for (const [name, proficiency] of [
    ["Joins", 3],
    ["Windows", 5],
  ] as const) {
    await site.add("skills", { profile_id: id, category: "sql", name, proficiency, years_experience: 4 });
  }
  const content = "First words.\n\n## A section\n\n```sql\nselect 1;\n```";
  const article = await site.add("articles", {
    author_id: id,
    title: "On Engines",
    content,
    published: true,
  });
  const link = await site.add("useful_links", {
    profile_id: id,
    title: "The manual",
    url: "https://docs.example/",
    description: "All of it",
    category: "Docs",
  });
  const sample = await site.add("code_samples", {
    profile_id: id,
    title: "A loop",
    language: "python",
    code_content: "for x in y:\n    print(x)",
  });
  return {
    id,
    paths: {
      article: itemPath({ path: "/articles" }, { id: article.id, title: "On Engines" }),
      link: itemPath({ path: "/useful-links" }, { id: link.id, title: "The manual" }),
      sample: itemPath({ path: "/sample-code" }, { id: sample.id, title: "A loop" }),
    },
  };
}

test("a visitor follows links from the list to an article, to its author's page with bio, skills and items, and back to the article", async ({
  page,
  site,
}) => {
  const { paths } = await addPortfolio(site);
  await rendered(page.request, paths.article);
  await page.goto("/articles");
  await page.getByRole("link", { name: "On Engines", exact: true }).click();
  await expect(page).toHaveURL(paths.article);
  await expect(page).toHaveTitle("On Engines · Techfolio.pro");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("On Engines");
  await expect(page.getByRole("heading", { level: 2, name: "A section" })).toBeVisible();
  expect(pathOf(await canonicalOf(page))).toBe(paths.article);

  const author = page.getByRole("complementary", { name: "Author" });
  await expect(author).toContainText("Analyst · Engines & Co");
  await author.getByRole("link", { name: "Ada Lovelace" }).click();
  await expect(page).toHaveURL("/profile/ada");
  await expect(page).toHaveTitle("Ada Lovelace · Techfolio.pro");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Ada Lovelace");
  expect(pathOf(await canonicalOf(page))).toBe("/profile/ada");
  await test.step("the person's page shows their bio, skills and items, and links to the lists of all their items", async () => {
    const main = page.getByRole("main");
    await expect(main).toContainText("Analyst · Engines & Co");
    await expect(main).toContainText("12+ years in analyst");
    await expect(main).toContainText("Writes the first programs.");
    await expect(page.getByRole("list", { name: "Featured skills" }).getByRole("listitem")).toHaveText([
      "Bernoulli numbers",
      "Notes",
    ]);
    const skills = page.getByRole("table", { name: "Skills" });
    await expect(skills.getByRole("row")).toHaveText([
      /Skill\s*Category\s*Level\s*Years/,
      /Windows\s*SQL\s*5\/5\s*4 years/,
      /Joins\s*SQL\s*3\/5\s*4 years/,
    ]);
    await expect(skills.getByRole("link", { name: "Windows" })).toHaveAttribute("href", "/people?q=Windows");
    await expect(main.getByRole("link", { name: "Bernoulli numbers" })).toHaveAttribute(
      "href",
      "/people?q=Bernoulli+numbers",
    );
    await expect(main.getByRole("link", { name: /LinkedIn/ })).toHaveAttribute(
      "href",
      "https://linkedin.example/in/ada",
    );
    for (const [region, title, path, list] of [
      ["Articles", "On Engines", paths.article, "/articles"],
      ["Useful Links", "The manual", paths.link, "/useful-links"],
      ["Sample Code", "A loop", paths.sample, "/sample-code"],
    ] as const) {
      const items = page.getByRole("region", { name: region, exact: true });
      await expect(items.getByRole("link", { name: title })).toHaveAttribute("href", path);
      const all = items.getByRole("link", { name: /^All .* by Ada Lovelace$/ });
      await expect(all).toHaveAttribute("href", `${list}?author=@ada`);
    }
  });
  await page.getByRole("region", { name: "Articles" }).getByRole("link", { name: "On Engines" }).click();
  await expect(page).toHaveURL(paths.article);
});

test("in the article list, a link from an article to one of its sections opens that section on the article's own page", async ({
  page,
  site,
}) => {
  const { id } = await site.addMember();
  const content = `[To the end](#the-end)\n\n${"Text.\n\n".repeat(60)}## The end`;
  const article = await site.add("articles", { author_id: id, title: "Long", content });
  const path = itemPath({ path: "/articles" }, { id: article.id, title: "Long" });
  await rendered(page.request, path);
  await gotoRendered(page, "/articles");
  await hydrated(page);
  await page.getByRole("link", { name: "To the end" }).click();
  await expect(page).toHaveURL(`${path}#section-the-end`);
  await expect(page.getByRole("heading", { name: "The end" })).toBeInViewport();
});

test("an item's page shows visitors only that item's card, without a form or Edit and Delete buttons", async ({
  request,
  site,
}) => {
  const { id } = await site.addMember({ username: "ada" });
  for (const form of CONTENT_FORMS) {
    const first = await addItem(site, form, id, "The first");
    await addItem(site, form, id, "The second");
    const path = itemPath(form, { id: first.id, title: "The first" });
    const html = await (await request.get(path)).text();
    const [card = "", ...others] = html.match(/<article.*?<\/article>/gs) ?? [];
    expect(others, path).toEqual([]);
    expect(card).toMatch(new RegExp(`<article id="${first.id}".*<h1[^>]*><[^>]*>The first</`, "s"));
    expect(card).toMatch(new RegExp(`<a aria-label="Permalink to The first"[^>]* href="${path}"`));
    expect(card).toMatch(/<a [^>]*href="\/profile\/ada"[^>]*><bdi>ada</);
    expect(card).not.toMatch(/"(Edit|Delete) The first"/);
    expect(html).not.toContain(form.createHeading);
  }
});

test.describe("copy buttons, with clipboard access allowed", () => {
  test.use({ permissions: ["clipboard-read", "clipboard-write"] });
  const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

  test("the copy buttons copy an item's URL and its code, are marked as copied, and announce the copy", async ({
    page,
    site,
  }) => {
    const { paths } = await addPortfolio(site);
    const announcements = page.locator("[aria-live=polite]");
    for (const [path, title, address, code] of [
      ["/articles", "On Engines", paths.article, "select 1;"],
      [paths.sample, "A loop", paths.sample, "for x in y:\n    print(x)"],
    ] as const) {
      await gotoRendered(page, path);
      await hydrated(page);
      const copyLink = page.getByRole("button", { name: `Copy link to ${title}` });
      await copyLink.click();
      await expect(copyLink).toHaveAttribute("data-copied", "");
      await expect(announcements).toContainText("Link copied");
      expect(await clipboard(page)).toBe(`${site.url}${address}`);
      const copyCode = page.getByRole("button", { name: "Copy code" });
      await copyCode.click();
      await expect(copyCode).toHaveAttribute("data-copied", "");
      await expect(announcements).toContainText("Code copied");
      expect((await clipboard(page)).trim()).toBe(code);
    }

    await test.step("they work and keep the focus if clicked right after the page loads, without waiting for hydration", async () => {
      for (const [name, copied] of [
        ["Copy link to On Engines", `${site.url}${paths.article}`],
        ["Copy code", "select 1;"],
      ] as const) {
        await page.goto("/articles");
        const button = page.getByRole("button", { name });
        await button.click();
        await expect(button).toHaveAttribute("data-copied", "");
        await expect(button).toBeFocused();
        expect((await clipboard(page)).trim()).toBe(copied);
      }
    });
  });
});

test.describe("item and profile pages without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("item and profile pages show their content without scripts, and contain no buttons that need scripts", async ({
    page,
    site,
  }) => {
    const { paths } = await addPortfolio(site);
    for (const [path, text] of [
      ["/profile/ada", "Mathematician."],
      [paths.sample, "A loop"],
    ] as const) {
      expect((await page.goto(path))?.status()).toBe(200);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.getByRole("main").getByText(text).first()).toBeVisible();
      await expect(page.getByRole("main").getByRole("button")).toHaveCount(0);
    }
    await expect(page.locator("pre")).toHaveText("for x in y:\n    print(x)");
  });
});

test("if a username is hostile text, the member's page has their id in its URL and shows the text as plain text", async ({
  page,
  site,
}) => {
  const hostile = await site.addMember({
    username: HOSTILE_TEXT,
    full_name: HOSTILE_TEXT,
    bio: HOSTILE_TEXT,
    current_title: HOSTILE_TEXT,
    company: HOSTILE_TEXT,
    featured_skills: [HOSTILE_TEXT],
  });
  await site.add("skills", { profile_id: hostile.id, category: "sql", name: HOSTILE_TEXT });
  page.on("dialog", (dialog) => expect(dialog.message(), "no script in the hostile text runs").toBe(""));
  const item = await addItem(site, ARTICLES, hostile.id, HOSTILE_TEXT);
  await page.goto(`/articles/${item.id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(HOSTILE_TEXT);
  await expect(page).toHaveTitle(`${HOSTILE_TEXT} · Techfolio.pro`);
  const author = page.getByRole("complementary", { name: "Author" });
  await author.getByRole("link", { name: HOSTILE_TEXT }).click();
  await expect(page).toHaveURL(`/profile/${hostile.id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(HOSTILE_TEXT);
});

test("the URLs of a deleted item, of an item under another list's path, of an unknown person and of a former username return 404", async ({
  request,
  site,
}) => {
  const { id } = await site.addMember({ username: "ada" });
  const statusOf = async (path: string) => (await request.get(path)).status();
  for (const form of CONTENT_FORMS) {
    const item = await addItem(site, form, id, "Short-lived");
    const path = `${form.path}/${item.id}`;
    expect(await statusOf(path), path).toBe(200);
    for (const { path: other } of CONTENT_FORMS.filter((each) => each !== form)) {
      expect(await statusOf(`${other}/${item.id}`), other).toBe(404);
    }
    await site.admin.from(form.table).delete().eq("id", item.id).throwOnError();
    const deleted = await request.get(path);
    expect(deleted.status(), path).toBe(404);
    expect(await deleted.text()).toMatch(/<h1[^>]*>This page does not exist/);
    expect(await statusOf(`/profile/${item.id}`)).toBe(404);
  }
  await site.admin.from("profiles").update({ username: "countess" }).eq("id", id).throwOnError();
  expect(await statusOf("/profile/ada")).toBe(404);
  expect(await statusOf("/profile/countess")).toBe(200);
});

// Axe checks the cards of links and samples in their lists (accessibility.spec.ts).
test("nothing shifts while item and profile pages load and hydrate, on a phone and on a desktop, and axe finds no accessibility violations on a phone in light mode and on a desktop in dark mode", async ({
  page,
  site,
}) => {
  test.setTimeout(120_000);
  const { paths } = await addPortfolio(site);
  await watchShifts(page);
  const expectNoShift = async (path: string, width: number) => {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(path);
    await hydrated(page);
    expect(await layoutShift(page), `${path} at ${width} pixels`).toBe(0);
  };
  for (const path of [...Object.values(paths), "/profile/ada"]) await expectNoShift(path, 390);
  for (const path of [paths.article, "/profile/ada"]) {
    await expectNoShift(path, 1280);
    expect(await violations(page), path).toEqual([]);
  }
});
