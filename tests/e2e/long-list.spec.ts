import type { Page } from "@playwright/test";
import { addCrowd } from "../fixtures/crowd.ts";
import { expect, type Site, test } from "../fixtures/site.ts";
import { cardOf, shownTitles, startApplication } from "../fixtures/visiting.ts";

/** One that is fetched whole and shown whole, one that is fetched whole, one of more than a megabyte, which is not. */
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
    await addCrowd(site.admin, owner, size);
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
    // The cards around it arrive one stretch after the other; it stays where it is.
    await page.waitForLoadState("networkidle");
    await expect.poll(async () => (await card.boundingBox())?.y).toBeGreaterThanOrEqual(0);
    await expect.poll(async () => (await card.boundingBox())?.y).toBeLessThan(viewport.height / 4);
  });
}

test("a reader's first touch fetches the application, and no more of the list until it is needed", async ({
  page,
  site,
}) => {
  const { id: owner } = await site.addMember({ username: "crowd" });
  await addCrowd(site.admin, owner, 300);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  const listRequests = () => asked.filter((path) => path.startsWith("/lists/"));
  await page.goto("/articles");
  await startApplication(page);
  await page.waitForLoadState("networkidle");
  expect(listRequests()).toEqual([]);
  await page.getByRole("searchbox", { name: "Search", exact: true }).focus();
  await expect.poll(listRequests).toEqual(["/lists/articles"]);
});

test.describe("the search of a list that is too long to be fetched", () => {
  const fieldOf = (page: Page) => page.getByRole("searchbox", { name: "Search", exact: true });

  /** Opens a list of so many articles with the search at hand, returns what the page has asked of its list so far. */
  async function openLongList(page: Page, site: Site): Promise<string[]> {
    const { id: owner } = await site.addMember({ username: "crowd" });
    await addCrowd(site.admin, owner, 1_500);
    const asked: string[] = [];
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.searchParams.get("ask") === "stretch") asked.push(url.searchParams.get("q") ?? "");
    });
    await page.goto("/articles");
    await startApplication(page);
    const whole = page.waitForResponse(/ask=whole/);
    await fieldOf(page).focus();
    await whole;
    return asked;
  }

  test("asks once for what is found and never for what is found among it", async ({ page, site }) => {
    const asked = await openLongList(page, site);
    await fieldOf(page).fill("article 14");
    await expect.poll(() => shownTitles(page)).toContain("Article 14");
    await fieldOf(page).fill("article 149");
    await expect
      .poll(() => shownTitles(page))
      .toEqual(
        ["149", ...Array.from({ length: 10 }, (_, digit) => `149${digit}`)].map(
          (number) => `Article ${number}`,
        ),
      );
    await fieldOf(page).fill("ARTICLE 1497");
    await expect.poll(() => shownTitles(page)).toEqual(["Article 1497"]);
    await fieldOf(page).fill("article 1497, and nothing");
    await expect(page.getByText("No articles found matching your search criteria.")).toBeVisible();
    await fieldOf(page).fill("article 1498");
    await expect.poll(() => shownTitles(page)).toEqual(["Article 1498"]);
    expect(asked.filter(Boolean)).toEqual(["article 14", "article 149"]);

    // What is found elsewhere is asked for again.
    await fieldOf(page).fill("article 77");
    await expect.poll(() => shownTitles(page)).toContain("Article 77");
    expect(asked.at(-1)).toBe("article 77");
  });

  test("sends each text once, and a member all of it to edit", async ({ page, site, signIn }) => {
    const member = await site.addMember();
    await signIn(member);
    await addCrowd(site.admin, member.id, 1_500);
    await page.goto("/articles");
    const answer = page.waitForResponse(/q=part\+14(&|$)/);
    await fieldOf(page).fill("part 14");
    const { cards, next } = await (await answer).json();
    expect(next).not.toBeNull();
    for (const { item, html } of cards) {
      expect(html).toContain("<h3>Part 14");
      expect(item).not.toHaveProperty("content");
    }
    await page.getByRole("button", { name: "Edit Article 14", exact: true }).click();
    await expect(page.getByLabel("Content (Markdown)")).toHaveValue(/^## Part 14\n\n.+```python\n.+```$/s);
  });

  test("is there for whoever leaves before it is answered and comes back", async ({ page, site }) => {
    await openLongList(page, site);
    await page.route(/ask=stretch/, () => undefined);
    await fieldOf(page).fill("article 1499");
    const link = page.getByRole("link", { name: "Useful Links" });
    // In one step: a hand may be quicker than the address.
    await link.evaluate((element: HTMLElement) => {
      element.focus();
      element.click();
    });
    await expect(page).toHaveURL("/useful-links");
    await page.goBack();
    await expect(fieldOf(page)).toHaveValue("article 1499");
  });

  test.describe("without an answer", () => {
    test.use({ expectedProblems: [/Failed to load resource/] });

    test("stands in the address, and loses nothing", async ({ page, site }) => {
      await openLongList(page, site);
      await page.route(/ask=stretch/, (route) => route.abort());
      await fieldOf(page).fill("article 1499");
      await expect(page).toHaveURL("/articles?q=article+1499");
      await page.reload();
      await expect(fieldOf(page)).toHaveValue("article 1499");
      expect(await shownTitles(page)).toEqual(["Article 1499"]);
    });
  });
});
