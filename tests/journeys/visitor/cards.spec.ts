import type { Locator } from "@playwright/test";
import { expect, type Site, test } from "../../support/site.ts";
import { cardOf, fontsShown, gotoRendered, holdScripts, hydrated, rendered } from "../../support/visiting.ts";

const WIDTHS = [320, 390, 768, 1280];
const LONG_NAME = "Bartholomew Featherstonehaugh-Cholmondeley of Worcestershire";

async function boxOf(locator: Locator): Promise<{ x: number; y: number; right: number; bottom: number }> {
  const box = await locator.boundingBox();
  if (!box) throw new Error("The element is not shown");
  return { x: box.x, y: box.y, right: box.x + box.width, bottom: box.y + box.height };
}

async function addArticle(site: Site, title: string, content = "Text."): Promise<string> {
  const { id } = await site.addMember({ full_name: LONG_NAME });
  return (await site.add("articles", { author_id: id, title, content, published: true })).id;
}

test("a card's actions have labels and share one row below the byline, but are to the left of a long title on a wide screen, Raw opens the article's Markdown file, and Feed the Atom feed with its style sheet", async ({
  page,
  site,
}) => {
  const id = await addArticle(site, "Read EXPLAIN");
  await test.step("the actions have visible labels and share one row below the byline, at widths from 320 to 1280 pixels, and Raw opens the article's Markdown file", async () => {
    for (const path of ["/articles", `/articles/${id}`]) {
      await page.goto(path);
      const card = cardOf(page, id);
      const actions = [
        card.getByRole("button", { name: "Copy link to Read EXPLAIN" }),
        card.getByRole("link", { name: "Permalink to Read EXPLAIN" }),
        card.getByRole("link", { name: "Raw", exact: true }),
      ];
      await actions[0]?.waitFor();
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        const boxes = await Promise.all(actions.map(boxOf));
        for (const [index, word] of ["Copy link", "Permalink", "Raw"].entries()) {
          await expect(actions[index]?.getByText(word, { exact: true }) ?? card).toHaveCSS(
            "position",
            "static",
          );
          await expect(actions[index] ?? card).toBeInViewport({ ratio: 1 });
          expect(boxes[index]?.y, `${path} at ${width} pixels: one row`).toBe(boxes[0]?.y);
          if (index > 0) expect(boxes[index]?.x).toBeGreaterThanOrEqual(boxes[index - 1]?.right ?? 0);
        }
        const author = await boxOf(card.getByRole("link", { name: LONG_NAME }));
        expect(boxes[0]?.y, `${path} at ${width} pixels`).toBeGreaterThanOrEqual(author.bottom);
      }
      await hydrated(page);
      const file = page.waitForResponse((response) => response.url().endsWith(`-${id.slice(-12)}.md`));
      await actions[2]?.click();
      expect((await file).headers()["content-type"]).toContain("text/markdown");
      await expect(page).toHaveURL(`/articles/read-explain-${id.slice(-12)}.md`);
    }
  });
  await test.step("on the hydrated list, the Feed link opens the Atom feed, whose style sheet explains it and shows its entries", async () => {
    await page.goto("/articles");
    await hydrated(page);
    const feed = page.waitForResponse((response) => response.url().endsWith("/feed.xml"));
    await page.getByRole("link", { name: "Feed" }).first().click();
    expect((await feed).headers()["content-type"]).toContain("application/xml");
    await expect(page.locator("entry > title")).toHaveText("Read EXPLAIN");
    await expect(page.locator("entry > title")).toHaveCSS("font-size", "22px");
    await expect(page.locator("entry > content")).toBeHidden();
    const contentBefore = (element: Element) => getComputedStyle(element, "::before").content;
    expect(await page.locator("feed").evaluate(contentBefore)).toContain("This is a feed.");
  });
  await test.step("on a wide screen, the actions on an article's page are to the left of a long title, not below it", async () => {
    const title = "A title about PostgreSQL and its many indexes ".repeat(6).trim();
    const longId = await addArticle(site, title);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`/articles/${longId}`);
    const heading = await boxOf(page.getByRole("heading", { level: 1 }));
    const raw = await boxOf(page.getByRole("link", { name: "Raw", exact: true }));
    expect(raw.bottom).toBeLessThan(heading.y + 200);
    expect(raw.right).toBeLessThanOrEqual(heading.x);
  });
});

test("right-to-left text is laid out right to left, but its code left to right, and its card's title is aligned with the text's right edge", async ({
  page,
  site,
}) => {
  const { id } = await site.addMember();
  await test.step("a title is aligned with the right edge of its card's text, at widths from 320 to 1280 pixels", async () => {
    const text = "هذا نص عربي طويل عن قواعد البيانات والفهارس ".repeat(6);
    const article = await site.add("articles", { author_id: id, title: "قواعد البيانات", content: text });
    const own = { profile_id: id, title: "رابط مفيد", description: text };
    const link = await site.add("useful_links", { ...own, url: "https://example.test/", category: "SQL" });
    for (const [path, item] of [
      ["/articles", article],
      ["/useful-links", link],
    ] as const) {
      await gotoRendered(page, path);
      const card = cardOf(page, item.id);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        const title = await boxOf(card.locator(".card-title"));
        const words = await boxOf(card.getByText(text.trim()));
        expect(Math.abs(title.right - words.right), `${path} at ${width} pixels`).toBeLessThan(2);
      }
    }
  });
  await test.step("text is laid out right to left, but its code left to right", async () => {
    const content = [
      "مرحبا بالعالم",
      "> اقتباس",
      "- بند",
      "| عمود |\n| - |\n| خلية |",
      "```python\nprint(1)\n```",
    ].join("\n\n");
    const article = await site.add("articles", { author_id: id, title: "عنوان", content });
    await page.setViewportSize({ width: 390, height: 800 });
    await gotoRendered(page, "/articles");
    const card = cardOf(page, article.id);
    for (const part of ["h2", ".prose > p", "blockquote", "ul", "td"]) {
      await expect(card.locator(part).first(), part).toHaveCSS("direction", "rtl");
    }
    await expect(card.locator("pre")).toHaveCSS("direction", "ltr");
    for (const part of [".card-title", "table"]) {
      const distance = await card.locator(part).evaluate((element) => {
        const text = element.closest("article")?.querySelector(".prose > p");
        return Number(text?.getBoundingClientRect().right) - element.getBoundingClientRect().right;
      });
      expect(Math.abs(distance), `${part} is aligned with the text`).toBeLessThan(2);
    }
    const search = page.getByRole("searchbox", { name: "Search", exact: true });
    await search.fill("عنوان");
    await expect(search).toHaveCSS("direction", "rtl");
  });
});

test("the home page and the article list link to the feed, but the list of useful links doesn't", async ({
  request,
}) => {
  for (const [path, count] of [
    ["/", 1],
    ["/articles", 1],
    ["/useful-links", 0],
  ] as const) {
    const html = await (await request.get(path)).text();
    const links = html.match(/<a [^>]*href="\/feed\.xml"[^>]*>.*?Feed.*?<\/a>/gs) ?? [];
    expect(links, path).toHaveLength(count);
  }
});

test("an article's headings become smaller from level to level, its footnotes have a heading, and the checkboxes of done and open tasks are at the same place in their list items", async ({
  page,
  site,
}) => {
  const headings = "# a\n\n## b\n\n### c\n\n#### d";
  const content = `${headings}\n\n- [x] Done\n- [ ] To do\n\nA note[^1].\n\n[^1]: The note.`;
  const id = await addArticle(site, "Details", content);
  await gotoRendered(page, `/articles/${id}`);
  await expect(page.getByRole("heading", { name: "Footnotes" })).toBeVisible();
  const sizes = await page
    .locator(".prose :is(h2, h3, h4, h5, h6)")
    .filter({ hasText: /^[abcd]$/ })
    .evaluateAll((all) => all.map((heading) => Number.parseFloat(getComputedStyle(heading).fontSize)));
  expect(sizes).toHaveLength(4);
  expect(sizes).toEqual([...new Set(sizes)].toSorted((a, b) => b - a));
  const offsets = await page.getByRole("checkbox").evaluateAll((boxes) =>
    boxes.map((box) => {
      const item = box.closest("li")?.getBoundingClientRect();
      return [box.getBoundingClientRect().x - (item?.x ?? 0), box.getBoundingClientRect().y - (item?.y ?? 0)];
    }),
  );
  expect(offsets[0]).toEqual(offsets[1]);
});

test("a visitor's top bar fits on one row from 640 pixels, a hovered link's marker is thinner than the current page's, and in forced-colors mode, the current page's link has an outline and category chips a border", async ({
  page,
  site,
}) => {
  await test.step("in forced-colors mode, the current page's link has an outline, and category chips have a border", async () => {
    const { id } = await site.addMember();
    await site.add("useful_links", {
      profile_id: id,
      title: "Docs",
      url: "https://docs.test",
      category: "Reading",
    });
    await page.emulateMedia({ forcedColors: "active" });
    await page.goto("/useful-links");
    const outlineOf = (name: string) =>
      page
        .getByRole("navigation")
        .getByRole("link", { name })
        .evaluate((link) => getComputedStyle(link).outlineStyle);
    expect(await outlineOf("Useful Links")).toBe("solid");
    expect(await outlineOf("Articles")).toBe("none");
    await expect(page.locator("[data-category]").first()).toHaveCSS("border-top-style", "solid");
  });
  await test.step("the top bar fits on one row, and a hovered link's marker is thinner than the current page's marker", async () => {
    await page.emulateMedia({ forcedColors: null, reducedMotion: "reduce" });
    await page.goto("/articles");
    await hydrated(page);
    for (const width of [640, 768, 1280]) {
      await page.setViewportSize({ width, height: 600 });
      const height = (await page.getByRole("banner").boundingBox())?.height;
      expect(height, `${width} pixels`).toBeLessThan(80);
    }
    const nav = page.getByRole("navigation", { name: "Main" });
    const heightOfMarker = (name: string) =>
      nav
        .getByRole("link", { name })
        .evaluate((link) => getComputedStyle(link).backgroundSize.replace("100% ", ""));
    await nav.getByRole("link", { name: "Useful Links" }).hover();
    expect(Number.parseFloat(await heightOfMarker("Useful Links"))).toBeLessThan(5);
    expect(Number.parseFloat(await heightOfMarker("Articles"))).toBeGreaterThan(20);
  });
});

test("wide code blocks and tables are in the tab order without scripts", async ({ request, site }) => {
  const cells = Array.from({ length: 30 }, (_, index) => `column_${index}`);
  const row = (texts: string[]) => `| ${texts.join(" | ")} |`;
  const table = [row(cells), row(cells.map(() => "-")), row(cells)].join("\n");
  const article = await addArticle(site, "Wide", `\`\`\`\n${"long ".repeat(200)}\n\`\`\`\n\n${table}`);
  const { id } = await site.addMember();
  const sample = await site.add("code_samples", {
    profile_id: id,
    title: "Wide",
    language: "python",
    code_content: "x".repeat(500),
  });
  for (const [path, boxes] of [
    [`/articles/${article}`, [/<pre[^>]*>/g, /<div[^>]*table-scroll[^>]*>/g]],
    [`/sample-code/${sample.id}`, [/<pre[^>]*>/g]],
  ] as const) {
    await rendered(request, path);
    const html = await (await request.get(path)).text();
    for (const box of boxes) expect(html.match(box), path).toEqual([expect.stringContaining('tabindex="0"')]);
  }
});

test("Copy link and Copy code appear once they work, without a layout shift", async ({ page, site }) => {
  const { id } = await site.addMember({ username: "ada" });
  const sample = { profile_id: id, title: "Loop", language: "python", code_content: "pass" };
  await site.add("code_samples", sample);
  // The site's font moves words when it arrives.
  await page.goto("/people");
  await fontsShown(page);
  const release = await holdScripts(page);
  await page.goto("/sample-code", { waitUntil: "commit" });
  const permalink = page.getByRole("link", { name: "Permalink to Loop" });
  await page.getByRole("contentinfo").waitFor();
  await fontsShown(page);
  const before = await permalink.boundingBox();
  const buttons = [
    page.getByRole("button", { name: "Copy link to Loop" }),
    page.getByRole("button", { name: "Copy code" }),
  ];
  for (const button of buttons) await expect(button).toBeHidden();
  release();
  for (const button of buttons) await expect(button).toBeVisible();
  expect(await permalink.boundingBox()).toEqual(before);
});
