import { brotliDecompressSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { violations } from "../../support/axe.ts";
import { expect, type Site, test } from "../../support/site.ts";
import { getRaw, headingsIn, hydrated, showAll, VIEWPORTS } from "../../support/visiting.ts";

const searchField = (page: Page) => page.getByRole("searchbox", { name: "Search", exact: true });
const rows = (page: Page) => page.getByRole("main").getByRole("article");
const names = (page: Page) => rows(page).getByRole("heading", { level: 2 }).allInnerTexts();
const expectNames = (page: Page) => expect.poll(() => names(page), { intervals: [25, 50, 100] });

async function addPeople(site: Site) {
  const ada = await site.addMember({
    username: "ada",
    full_name: "Ada Lovelace",
    current_title: "Data Engineer",
    company: "Engines & Co",
    years_experience: 12,
    featured_skills: ["Bernoulli numbers"],
  });
  const grace = await site.addMember({ username: "grace", current_title: "Architect", years_experience: 20 });
  const wei = await site.addMember({ username: "wei", full_name: "王 伟" });
  await site.addMember({ username: null, full_name: " " });
  const own = { proficiency: 4, years_experience: 3 };
  await site.add("skills", { ...own, profile_id: ada.id, name: "Terraform", category: "tools" });
  await site.add("skills", { ...own, profile_id: ada.id, name: "PostgreSQL", category: "sql" });
  await site.add("skills", { ...own, profile_id: grace.id, name: "Terraform", category: "tools" });
  await site.add("articles", { author_id: ada.id, title: "Public", content: "x", published: true });
  await site.add("articles", { author_id: ada.id, title: "Draft", content: "x" });
  return { ada, grace, wei };
}

const addMany = (site: Site, count: number) =>
  site.addMembers(
    Array.from({ length: count }, (_, number) => ({
      username: `m${number}`,
      full_name: `Member ${String(number).padStart(2, "0")}`,
    })),
  );

test("the people directory lists everyone with a name, most experienced first, and a search, a category and a sort order change it and the URL, and axe finds no accessibility violations on a phone in light mode and on a desktop in dark mode", async ({
  page,
  site,
}) => {
  const { ada } = await addPeople(site);
  await test.step("the home page links to the directory, which lists everyone and links to their pages, whose skills link to searches", async () => {
    await page.goto("/");
    await page
      .getByRole("region", { name: "Featured Professionals" })
      .getByRole("link", { name: "All Professionals" })
      .click();
    await expect(page).toHaveURL("/people");
    await expect(page).toHaveTitle("Professionals · Techfolio.pro");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Professionals");
    await expectNames(page).toEqual(["grace", "Ada Lovelace", "王 伟"]);
    const row = page.locator(`article[id="${ada.id}"]`);
    await expect(row).toContainText("Data Engineer · Engines & Co");
    await expect(row).toContainText("12+ years in data engineer");
    await expect(row.getByText("1 article", { exact: true }).filter({ visible: true })).toHaveCount(1);
    await expect(row.getByRole("list", { name: "Skills of Ada Lovelace" }).getByRole("listitem")).toHaveText([
      /PostgreSQL/,
      /Terraform/,
    ]);
    await row.getByRole("link", { name: "Ada Lovelace" }).click();
    await expect(page).toHaveURL("/profile/ada");
    await page.getByRole("table", { name: "Skills" }).getByRole("link", { name: "Terraform" }).click();
    await expect(page).toHaveURL("/people?q=Terraform");
    await expectNames(page).toEqual(["grace", "Ada Lovelace"]);
  });
  await page.goto("/people");
  await expect(searchField(page)).toHaveAttribute(
    "placeholder",
    "Search by name, title, company or skill...",
  );
  await hydrated(page);
  await searchField(page).fill("TERRAFORM engineer ");
  await expectNames(page).toEqual(["Ada Lovelace"]);
  await expect(page).toHaveURL("/people?q=TERRAFORM+engineer");
  await expect(rows(page).getByRole("listitem").first()).toContainText("Terraform");
  await expect(page.locator("[aria-live=polite]")).toContainText("1 result");
  await searchField(page).fill("");
  await page.getByRole("combobox", { name: "Category" }).selectOption("Tools & Others");
  await expectNames(page).toEqual(["grace", "Ada Lovelace"]);
  await page.getByRole("combobox", { name: "Sort" }).selectOption("By Name");
  await expectNames(page).toEqual(["Ada Lovelace", "grace"]);
  await expect(page).toHaveURL("/people?category=tools&sort=name");
  await page.getByRole("combobox", { name: "Category" }).selectOption("");
  await expect(rows(page)).toHaveCount(3);
  expect(await violations(page)).toEqual([]);
});

test.describe("the people directory without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the people directory's search and paging work without scripts", async ({ page, site }) => {
    await addPeople(site);
    await page.goto("/people");
    await searchField(page).fill("terraform");
    await page.getByRole("combobox", { name: "Sort" }).selectOption("By Name");
    await page.getByRole("button", { name: "Apply" }).click();
    await expectNames(page).toEqual(["Ada Lovelace", "grace"]);
    await addMany(site, 30);
    await page.goto("/people?sort=name&q=member");
    expect(await names(page)).toHaveLength(24);
    await page.getByRole("link", { name: "Show More" }).click();
    await expectNames(page).toEqual(Array.from({ length: 6 }, (_, number) => `Member ${24 + number}`));
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex, follow");
    await expect(page.locator('link[rel="canonical"]')).toHaveAttribute("href", `${site.url}/people`);
  });
});

test("on a phone, the people directory loads more people as the reader scrolls, and Back restores it", async ({
  page,
  site,
}) => {
  await addMany(site, 60);
  await page.setViewportSize(VIEWPORTS[0]);
  await page.goto("/people?sort=name");
  await hydrated(page);
  await showAll(page, 60);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  const link = page.getByRole("link", { name: "Member 50" });
  await link.click();
  await expect(page.getByRole("heading", { level: 1, name: "Member 50" })).toBeVisible();
  await page.goBack();
  await expect(rows(page)).toHaveCount(60);
  await expect(link).toBeInViewport();
});

test("empty and hostile profile fields add no HTML to /people and profile pages and don't make them wider than the window", async ({
  page,
  site,
}) => {
  const hostile = `<img src=x onerror="alert(1)">"'&amp;\u202e${"W".repeat(300)}`;
  const { id } = await site.addMember({
    username: "hostile",
    full_name: hostile,
    current_title: hostile,
    company: hostile,
    years_experience: 80,
    featured_skills: [hostile, " "],
  });
  await site.add("skills", {
    profile_id: id,
    name: hostile.slice(0, 100),
    category: "aws",
    proficiency: 1,
    years_experience: 0,
  });
  await site.addMember({ username: "empty" });
  for (const path of ["/people", "/profile/hostile"]) {
    await page.goto(path);
    expect(await page.locator("main img[src=x]").count(), path).toBe(0);
    for (const viewport of VIEWPORTS) {
      await page.setViewportSize(viewport);
      const fits = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
      expect(fits, `${path} at ${viewport.width} pixels`).toBe(true);
    }
  }
  const found = await (await page.request.get("/people?q=%3Cimg")).text();
  expect(headingsIn(found)).toHaveLength(1);
  expect(found).not.toContain("<img src=x");
});

test("a compressed page of the people directory, with 24 people and eight skills each, stays below 35 kB", async ({
  site,
}) => {
  const ids = await site.addMembers(
    Array.from({ length: 24 }, (_, number) => ({
      username: `member-${number}`,
      full_name: `Member ${number}`,
      current_title: `Engineer ${number}`,
      company: `Company ${number}`,
      years_experience: number,
    })),
  );
  const skills = ids.flatMap((profile_id, number) =>
    Array.from({ length: 8 }, (_, skill) => ({
      profile_id,
      name: `Skill ${number * 8 + skill}`,
      category: "tools",
    })),
  );
  await site.admin.from("skills").insert(skills).throwOnError();
  const { status, body } = await getRaw(`${site.url}/people`, { "Accept-Encoding": "br" });
  expect(status).toBe(200);
  expect(brotliDecompressSync(body).toString()).toContain("Member 0");
  expect(body.length).toBeLessThan(35_000);
});
