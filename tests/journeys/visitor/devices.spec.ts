import { expect, type Site, test } from "../../support/site.ts";
import { hydrated, PAGES } from "../../support/visiting.ts";

async function addContentWithLongWords(site: Site): Promise<void> {
  const word = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
  const long = word.repeat(4);
  const address = `https://example.com/${long}?${long}`;
  const { id } = await site.addMember({
    username: long,
    full_name: long,
    bio: long,
    current_title: long,
    company: long,
    years_experience: 80,
    linkedin_url: address,
    featured: true,
  });
  await site.add("skills", {
    profile_id: id,
    category: "python",
    name: long.slice(0, 100),
    proficiency: 5,
    years_experience: 1,
  });
  const content = [
    long,
    `# ${long}`,
    address,
    `\`${long}\``,
    `> ${long}`,
    `- ${long}`,
    `\`\`\`\n${long}\n\`\`\``,
    `| ${long} | ${long} |\n| - | - |\n| ${long} | ${long} |`,
    `![${long}](https://pictures.test/missing.png)`,
  ].join("\n\n");
  await site.add("articles", { author_id: id, title: long, content, published: true });
  await site.add("useful_links", {
    profile_id: id,
    title: long,
    url: address,
    description: long,
    category: long,
  });
  await site.add("code_samples", {
    profile_id: id,
    title: long,
    description: long,
    language: "python",
    code_content: long,
  });
}

test("at a width of 360 pixels, very long words neither make a page scroll sideways nor extend past its right edge", async ({
  page,
  context,
  site,
}) => {
  await addContentWithLongWords(site);
  await context.route("https://pictures.test/**", (route) => route.fulfill({ status: 204 }));
  await page.setViewportSize({ width: 360, height: 740 });
  for (const path of PAGES) {
    await page.goto(path);
    const sizes = () => {
      const { scrollWidth, clientWidth } = document.documentElement;
      // Readers can't scroll to clipped content, so check that no element extends past the page's right edge.
      const cut = [...document.querySelectorAll("main *, header *, footer *")].filter((element) => {
        const { right } = element.getBoundingClientRect();
        return right > clientWidth + 1 && !element.closest("pre, .table-scroll, .sr-only");
      });
      return {
        overflow: Math.max(0, scrollWidth - clientWidth),
        cut: cut.map(({ outerHTML }) => outerHTML.slice(0, 120)),
      };
    };
    expect(await page.evaluate(sizes), path).toEqual({ overflow: 0, cut: [] });
    if (path === "/") {
      for (const label of ["5/5", "Python"]) {
        const box = await page.getByText(label, { exact: true }).boundingBox();
        expect(box?.height, `${label} is on one line`).toBeLessThan(32);
      }
    }
    await hydrated(page);
    expect(await page.evaluate(sizes), `${path}, hydrated`).toEqual({ overflow: 0, cut: [] });
  }
});

test("the first press of Tab focuses a link that skips the top bar, and scrolling is not smooth for readers who prefer reduced motion", async ({
  page,
}) => {
  await page.goto("/articles");
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("searchbox", { name: "Search", exact: true })).toBeFocused();
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)).toBe("auto");
});
