import type { Page } from "@playwright/test";
import { expect, test } from "../../support/site.ts";
import { startApplication } from "../../support/visiting.ts";

const ARRANGEMENTS = [390, 1280].flatMap((width) =>
  (["screen", "print"] as const).map((media) => ({ width, media })),
);

/** How elements, and what stands before and after them, are drawn as they were not when this was asked before. */
async function newLooks(page: Page): Promise<string[]> {
  const looks: string[] = [];
  for (const { width, media } of ARRANGEMENTS) {
    // So high that no text waits below the screen to be laid out.
    await page.setViewportSize({ width, height: 12_000 });
    await page.emulateMedia({ media });
    const found = await page.evaluate(async (arrangement) => {
      // A text is laid out in the frame after it came to the screen.
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
      for (const transition of document.getAnimations()) transition.finish();
      const known = (window as { known?: Set<string> }).known ?? new Set();
      Object.assign(window, { known });
      const changed: string[] = [];
      for (const [index, element] of document.querySelectorAll("html, body, body *").entries()) {
        for (const part of ["", "::before", "::after"]) {
          const style = getComputedStyle(element, part);
          if (part && style.content === "none") continue;
          const all = [...style].map((property) => `${property}: ${style.getPropertyValue(property)}`);
          const name = `${index} ${element.tagName}.${element.getAttribute("class")}${part}`;
          const look = `${arrangement} ${name} ${all.join("; ")}`;
          if (!known.has(look)) changed.push(look);
          known.add(look);
        }
      }
      return changed.slice(0, 3);
    }, `${width} ${media}`);
    looks.push(...found);
  }
  return looks;
}

const ARTICLE_ID = "00000000-0000-4000-8000-000000000001";
const ITEM = `# One\n\n## Two\n\n> Quote\n\n- [x] done\n- not\n\n1. a\n2. b\n\n| a | b |\n|:-:|--:|\n| 1 | 2 |\n\n---\n\n\`\`\`python\ndef f(): return "x" # y\n\`\`\`\n\n[link](https://example.com) ![picture](/favicon.svg)`;

test.describe("a document has all the styles that it needs, wide and narrow, on screen and on paper", () => {
  test.use({ expectedProblems: [/404 \(Not Found\)/] });

  test.beforeEach(async ({ site }) => {
    const { id } = await site.addMember({ username: "styled", featured: true, years_experience: 3 });
    const row = { author_id: id, title: "Styled", content: ITEM, published: true };
    // The first four are drawn in another way than the others.
    for (let number = 0; number < 5; number++) await site.add("articles", row);
    await site.add("articles", { ...row, id: ARTICLE_ID });
    const link = { title: "Link", url: "https://example.com", category: "Python" };
    await site.add("useful_links", { profile_id: id, ...link });
    const code = { title: "Code", code_content: "select 1", language: "sql" };
    await site.add("code_samples", { profile_id: id, ...code });
  });

  const lists = ["/articles", "/useful-links", "/sample-code", "/articles?q=none"];
  for (const path of ["/", ...lists, `/articles/${ARTICLE_ID}`, "/profile/styled", "/nowhere"]) {
    test(path, async ({ page }) => {
      // Pictures have their size once they are here.
      await page.goto(path, { waitUntil: "networkidle" });
      expect((await newLooks(page)).length).toBeGreaterThan(0);
      await page.locator("link[disabled]").evaluate(async (sheet: HTMLLinkElement) => {
        const loaded = new Promise((resolve) => sheet.addEventListener("load", resolve));
        sheet.disabled = false;
        await loaded;
      });
      expect(await newLooks(page)).toEqual([]);
    });
  }
});

test("what a page shows later has its styles, too", async ({ page }) => {
  await page.goto("/");
  await startApplication(page);
  const search = page.getByRole("search");
  await page.getByRole("link", { name: "Articles", exact: true }).first().click();
  await expect(search).toHaveCSS("position", "sticky");
});
