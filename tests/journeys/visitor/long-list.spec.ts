import type { Page } from "@playwright/test";
import { addCrowd } from "../../support/crowd.ts";
import { expect, type Site, test } from "../../support/site.ts";
import { cardOf, expectTitles, hydrated, shownTitles } from "../../support/visiting.ts";

const addArticles = (site: Site, owner: string, size: number) =>
  addCrowd(site.admin, owner, size, ["articles"]);

/** One that the document holds, one that the browser can search, one of more than a megabyte, which it cannot. */
const SIZES = [60, 300, 1_500];

const VIEWPORTS = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];

for (const [size, viewport] of SIZES.flatMap((size) =>
  VIEWPORTS.map((viewport) => [size, viewport] as const),
)) {
  test(`an address leads to any item of ${size}, ${viewport.width} pixels wide`, async ({ page, site }) => {
    test.setTimeout(90_000);
    const { id: owner } = await site.addMember({ username: "crowd" });
    await addArticles(site, owner, size);
    const { data } = await site.admin
      .from("articles")
      .select("id")
      .eq("title", `Article ${size - 10}`)
      .single();
    if (!data) throw new Error("the article was not made");

    await page.setViewportSize(viewport);
    await page.goto(`/articles#${data.id}`);
    const card = cardOf(page, data.id);
    await expect(card).toBeInViewport();
    // More cards arrive around it; it stays where it is.
    await page.waitForLoadState("networkidle");
    await expect.poll(async () => (await card.boundingBox())?.y).toBeGreaterThanOrEqual(0);
    await expect.poll(async () => (await card.boundingBox())?.y).toBeLessThan(viewport.height / 4);
  });
}

test("an address whose item is changed to one beyond the document leads there", async ({ page, site }) => {
  const { id: owner } = await site.addMember({ username: "crowd" });
  await addArticles(site, owner, 60);
  const { data } = await site.admin.from("articles").select("id").in("title", ["Article 0", "Article 59"]);
  const [one = "", other = ""] = (data ?? []).map(({ id }) => id);
  for (const first of ["/articles", `/articles#${one}`]) {
    await page.goto("/");
    await page.goto(first);
    await hydrated(page);
    for (const id of [one, other, one]) {
      await page.goto(`/articles#${id}`);
      await expect(cardOf(page, id)).toBeInViewport();
    }
  }
});

test("a reader's first touch fetches the application, and no more of the list until it is needed", async ({
  page,
  site,
}) => {
  const { id: owner } = await site.addMember({ username: "crowd" });
  await addArticles(site, owner, 300);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  const listRequests = () => asked.filter((path) => path.startsWith("/lists/"));
  await page.goto("/articles");
  await hydrated(page);
  await page.waitForLoadState("networkidle");
  expect(listRequests()).toEqual([]);
  await page.getByRole("searchbox", { name: "Search", exact: true }).focus();
  await expect.poll(listRequests).toEqual(["/lists/articles"]);
});

test.describe("the search of a list that is too long to be fetched", () => {
  const fieldOf = (page: Page) => page.getByRole("searchbox", { name: "Search", exact: true });

  async function openLongList(page: Page, site: Site): Promise<void> {
    const { id: owner } = await site.addMember({ username: "crowd" });
    await addArticles(site, owner, 1_500);
    await page.goto("/articles");
    await hydrated(page);
    const whole = page.waitForResponse(/all=true/);
    await fieldOf(page).focus();
    expect(await (await whole).json()).toEqual({ cards: null });
  }

  test("finds what stands anywhere, and goes on as one scrolls", async ({ page, site }) => {
    await openLongList(page, site);
    await fieldOf(page).fill("article 149");
    await expectTitles(page).toEqual(
      ["149", ...Array.from({ length: 10 }, (_, digit) => `149${digit}`)].map(
        (number) => `Article ${number}`,
      ),
    );
    await fieldOf(page).fill("article 1497, and nothing");
    await expect(
      page.getByRole("main").getByText("No articles found matching your search criteria."),
    ).toBeVisible();
    await fieldOf(page).fill("article 14");
    await expectTitles(page).toContain("Article 14");
    await expect
      .poll(async () => {
        await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
        return shownTitles(page);
      })
      .toContain("Article 1499");
  });

  test("sends each text once, and a member all of it to edit", async ({ page, site, member }) => {
    await addArticles(site, member.id, 1_500);
    await page.goto("/articles");
    await hydrated(page);
    const answer = page.waitForResponse(/q=part\+14(&|$)/);
    await fieldOf(page).fill("part 14");
    const { cards, next } = await (await answer).json();
    expect(next).not.toBeNull();
    for (const { item, html } of cards) {
      expect(html).toMatch(/<h3[^>]*>Part 14/);
      expect(item).not.toHaveProperty("content");
    }
    await page.getByRole("button", { name: "Edit Article 14", exact: true }).click();
    await expect(page.getByLabel("Content (Markdown)")).toHaveValue(/^## Part 14\n\n.+```python\n.+```$/s);
  });

  test("is there for whoever leaves before it is answered and comes back", async ({ page, site }) => {
    await openLongList(page, site);
    await page.route(/lists.*q=/, () => undefined);
    await fieldOf(page).fill("article 1499");
    const link = page.getByRole("link", { name: "Useful Links" });
    // In one step: a hand may be quicker than the address.
    await link.evaluate((element: HTMLElement) => {
      element.focus();
      element.click();
    });
    await expect(page).toHaveURL("/useful-links");
    await page.unrouteAll();
    await page.goBack();
    await expect(fieldOf(page)).toHaveValue("article 1499");
  });

  test.describe("without an answer", () => {
    test.use({ expectedProblems: [/Failed to load resource/] });

    test("stands in the address, and loses nothing", async ({ page, site }) => {
      await openLongList(page, site);
      await page.route(/lists.*q=/, (route) => route.abort());
      await fieldOf(page).fill("article 1499");
      await expect(page).toHaveURL("/articles?q=article+1499");
      await page.reload();
      await expect(fieldOf(page)).toHaveValue("article 1499");
      expect(await shownTitles(page)).toEqual(["Article 1499"]);
    });
  });
});

test("typing and sorting below a fragment keep the field where it is", async ({ page, site }) => {
  const { id: owner } = await site.addMember({ username: "crowd" });
  await addArticles(site, owner, 1_500);
  const { data } = await site.admin.from("articles").select("id").eq("title", "Article 700").single();
  await page.goto(`/articles#${data?.id}`);
  await expect(cardOf(page, data?.id ?? "")).toBeInViewport();
  await page.evaluate(() => scrollTo(0, 0));
  const field = page.getByRole("searchbox", { name: "Search", exact: true });
  await expect(field).toBeInViewport();
  await field.pressSequentially("part");
  await page.getByRole("combobox", { name: "Sort" }).selectOption("Oldest First");
  await expect.poll(async () => (await shownTitles(page))[0]).toBe("Article 1499");
  await expect(field).toBeInViewport();
  expect(await page.evaluate(() => Math.round(scrollY))).toBeLessThan(200);
});
