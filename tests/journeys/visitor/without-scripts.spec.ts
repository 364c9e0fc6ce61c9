import { CONTENT_FORMS } from "../../support/forms.ts";
import { addManyItems } from "../../support/many-items.ts";
import { expect, test } from "../../support/site.ts";
import { cardOf, expectTitles, PAGES, rendered } from "../../support/visiting.ts";

test.use({ javaScriptEnabled: false });

test("the home page, the lists, the links between them, the search form, and paging with Show More and Start of the List work without scripts", async ({
  page,
  site,
}) => {
  await test.step("the home page, the lists and the links between them", async () => {
    const { id } = await site.addMember({ full_name: "Ada Lovelace", years_experience: 9, featured: true });
    const created_at = "2026-03-05T12:00:00Z";
    const article = await site.add("articles", {
      author_id: id,
      title: "On Engines",
      content: "**Bold**\n\n```sql\nselect 1\n```",
      published: true,
      created_at,
    });
    const link = await site.add("useful_links", {
      profile_id: id,
      title: "Docs",
      url: "https://example.com",
      category: "Reading",
      created_at,
    });
    const sample = await site.add("code_samples", {
      profile_id: id,
      title: "Hello",
      language: "python",
      code_content: "print('hello')",
      created_at,
    });

    await rendered(page.request, "/articles");
    await page.goto("/");
    const main = page.getByRole("main");
    for (const text of ["Ada Lovelace", "On Engines", "Docs", "Hello"])
      await expect(main).toContainText(text);
    await page.getByRole("region", { name: "Latest Useful Links" }).getByRole("link").click();
    await expect(cardOf(page, link.id)).toBeInViewport();
    await expect(cardOf(page, link.id)).toContainText("Shared by Ada Lovelace");

    await page.getByRole("link", { name: "Articles" }).click();
    await expect(cardOf(page, article.id)).toContainText("By Ada Lovelace | Mar 5, 2026");
    await expect(cardOf(page, article.id).getByText("Bold")).toHaveCSS("font-weight", /^[6-9]00$/);
    await page.getByRole("link", { name: "Sample Code" }).click();
    await expect(cardOf(page, sample.id).locator("pre")).toHaveText("print('hello')");
    await page.getByRole("link", { name: "Profile" }).click();
    await expect(page.getByRole("heading", { name: "Sign in to your account" })).toBeVisible();
  });
  await test.step("the search form", async () => {
    const { id } = await site.addMember({ username: "ada" });
    for (const number of [1, 2, 3]) {
      await site.add("articles", {
        author_id: id,
        title: `Article ${number}`,
        content: number === 2 ? "other" : "same",
        created_at: new Date(Date.UTC(2026, 2, number)).toISOString(),
      });
    }
    await page.goto("/articles");
    await page.getByRole("searchbox", { name: "Search", exact: true }).fill("SAME");
    await page.getByRole("searchbox", { name: "Search by author" }).fill("ada");
    await page.getByRole("combobox", { name: "Sort" }).selectOption("Oldest First");
    await page.getByRole("button").click();
    await expect(page).toHaveURL("/articles?q=SAME&author=ada&sort=asc");
    await expectTitles(page).toEqual(["Article 1", "Article 3"]);
    await expect(page.getByRole("searchbox", { name: "Search", exact: true })).toHaveValue("SAME");

    await page.getByRole("searchbox", { name: "Search", exact: true }).fill("nothing");
    await page.getByRole("searchbox", { name: "Search", exact: true }).press("Enter");
    await expect(
      page.getByRole("main").getByText("No articles found matching your search criteria."),
    ).toBeVisible();
  });
  await test.step("paging with Show More and Start of the List", async () => {
    const titlesOf = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => `Link ${from + index}`);
    const { id: crowd } = await site.addMember({ username: "crowd" });
    await addManyItems(site.admin, crowd, 60, ["useful_links"]);
    await page.goto("/useful-links?q=link");
    await expectTitles(page).toEqual(titlesOf(0, 48));
    await page.getByRole("main").getByRole("link", { name: "Show More" }).click();
    await expectTitles(page).toEqual(titlesOf(48, 60));
    await page.getByRole("link", { name: "Start of the List" }).click();
    await expect(page).toHaveURL("/useful-links?q=link");
    await expectTitles(page).toEqual(titlesOf(0, 48));
  });
});

test("syntax highlighting adds at most 600 elements to a page of code samples", async ({ request, site }) => {
  const { id } = await site.addMember({ username: "ada" });
  const rows = Array.from({ length: 30 }, (_, number) => ({
    profile_id: id,
    title: `Sample ${number}`,
    language: "python",
    code_content: "return 'text', 1\n".repeat(20),
  }));
  await site.admin.from("code_samples").insert(rows).throwOnError();
  const readPage = async () => (await request.get("/sample-code")).text();
  const partsIn = (html: string) =>
    (html.match(/<pre[^>]*>.*?<\/pre>/gs) ?? []).join("").match(/<span/g)?.length ?? 0;
  // The server sends plain code until it has highlighted the samples, so read until some code is highlighted.
  await expect.poll(async () => partsIn(await readPage())).toBeGreaterThan(0);
  const html = await readPage();
  expect(partsIn(html)).toBeLessThanOrEqual(600);
  expect(html).toContain("Show More");
});

test("each of the five main pages shows its heading without scripts, and the sign-in form shows that it needs them", async ({
  request,
}) => {
  for (const path of PAGES) {
    const response = await request.get(path);
    expect(response.status(), path).toBe(200);
    const html = await response.text();
    expect(html, path).toMatch(/<main.*<h1/s);
    expect(html.includes("Signing in needs JavaScript."), path).toBe(path === "/profile");
  }
});

test("the list pages sent to visitors contain no headings, labels or buttons of the members' forms", async ({
  request,
}) => {
  for (const { path, createHeading, createButton, fields } of CONTENT_FORMS) {
    const html = await (await request.get(path)).text();
    for (const text of ["Title", ...Object.keys(fields), createHeading, createButton]) {
      expect(html).not.toContain(`>${text}<`);
    }
  }
});
