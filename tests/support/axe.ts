import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

const NARROW = 390;
const WIDE = 1280;

/** Only the results of these rules depend on the color scheme or the page's width. */
const COLOR_AND_WIDTH_RULES = ["color-contrast", "link-in-text-block", "scrollable-region-focusable"];

/** Returns axe's violations on a phone in light mode, and those that a desktop in dark mode can add. */
export async function violations(page: Page): Promise<string[]> {
  await switchTo(page, NARROW, "light");
  const narrow = await analyze(await newAxe(page), "light, narrow");
  await switchTo(page, WIDE, "dark");
  const wide = await analyze((await newAxe(page)).withRules(COLOR_AND_WIDTH_RULES), "dark, wide");
  return [...narrow, ...wide];
}

async function newAxe(page: Page): Promise<AxeBuilder> {
  // By default, each analysis runs axe's source in the page twice, although an earlier analysis has left it there.
  const axeSource = (await page.evaluate(() => "axe" in window)) ? "void 0" : undefined;
  // Legacy mode keeps axe from opening a second page for cross-origin frames in each run. The site has none.
  return new AxeBuilder({ page, ...(axeSource && { axeSource }) })
    .setLegacyMode()
    .options({ resultTypes: ["violations"] });
}

async function switchTo(page: Page, width: number, colorScheme: "light" | "dark"): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.evaluate(async () => {
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  });
}

async function analyze(axe: AxeBuilder, where: string): Promise<string[]> {
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html }) => `${id} (${where}): ${help}: ${html}`),
  );
}
