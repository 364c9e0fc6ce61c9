import { HOSTILE_TEXT } from "../../support/hostile-text.ts";
import { expect, test } from "../../support/site.ts";

test("a person's page prints as a one-column résumé with a skills table and URLs written out", async ({
  page,
  site,
  context,
}) => {
  const { id } = await site.addMember({
    username: "ada",
    full_name: "Ada Lovelace",
    bio: HOSTILE_TEXT,
    current_title: "Analyst",
    linkedin_url: "https://linkedin.example/in/ada",
    featured_skills: ["Engines"],
  });
  for (const name of ["Joins", "Windows"]) {
    await site.add("skills", { profile_id: id, category: "sql", name, proficiency: 4, years_experience: 7 });
  }
  const article = await site.add("articles", {
    author_id: id,
    title: "On engines",
    content: "x",
    published: true,
  });
  await site.add("useful_links", {
    profile_id: id,
    title: "Manual",
    url: "https://manual.example/joins",
    category: "SQL",
  });
  await page.goto("/profile/ada");
  const table = page.getByRole("table");
  const code = page.getByRole("img", { name: "QR code of this page" });
  await expect(code).toBeHidden();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy link to Ada Lovelace" }).press("Enter");
  await expect(page.locator("[aria-live=polite]")).toContainText("Link copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
  await page.emulateMedia({ media: "print" });

  await expect(table.getByRole("columnheader")).toHaveText(["Skill", "Category", "Level", "Years"]);
  await expect(table.getByRole("row").nth(1).getByRole("cell")).toHaveText([
    "Joins",
    "SQL",
    "4/5",
    "7 years",
  ]);
  await expect(code).toBeVisible();
  await expect(page.getByRole("button", { name: "Copy link to Ada Lovelace" })).toBeHidden();
  const origin = new URL(page.url()).origin;
  for (const path of ["/profile/ada", `/articles/on-engines-${article.id.slice(-12)}`]) {
    await expect(page.getByText(`${origin}${path}`, { exact: true })).toBeVisible();
  }
  await expect(page.getByText("https://manual.example/joins", { exact: true })).toBeVisible();
  const written = await page
    .getByRole("link", { name: "Ada Lovelace on LinkedIn" })
    .evaluate((link) => getComputedStyle(link, "::after").content);
  expect(written).toContain("https://linkedin.example/in/ada");
  await expect(page.getByRole("navigation")).toBeHidden();
  await expect(page.getByRole("contentinfo")).toBeHidden();
  await expect(page.getByText("All articles by")).toBeHidden();
  await expect(page.getByRole("link", { name: "Feed of articles by Ada Lovelace" })).toBeHidden();
  const category = await table.getByRole("cell", { name: "SQL" }).first().boundingBox();
  expect(category?.height, "a category is on one line").toBeLessThan(32);

  for (const width of [720, 1280]) {
    await page.setViewportSize({ width, height: 1000 });
    const lefts = await page
      .locator("h1, h2, main table, main li")
      .evaluateAll((elements) =>
        elements
          .filter((element) => element.checkVisibility())
          .map((element) => element.getBoundingClientRect()),
      )
      .then((boxes) => boxes.map(({ left }) => Math.round(left)));
    expect(lefts.length).toBeGreaterThan(6);
    expect(new Set(lefts).size).toBe(1);
  }
});
