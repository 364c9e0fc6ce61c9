import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

const NARROW = 390;
const WIDE = 1280;

/** The only rules that depend on the color scheme. Page width doesn't affect them, so they run only on wide pages. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

/** Returns axe's violations at a phone's and a desktop's width in light mode, and color violations in dark mode. */
export async function violations(page: Page): Promise<string[]> {
  await switchTo(page, NARROW, "light");
  const narrow = await analyze(newAxe(page).disableRules(COLOR_RULES), "light, narrow");
  await switchTo(page, WIDE, "light");
  const wide = await analyze(newAxe(page), "light, wide");
  await switchTo(page, WIDE, "dark");
  const dark = await analyze(newAxe(page).withRules(COLOR_RULES), "dark, wide");
  return [...narrow, ...wide, ...dark];
}

function newAxe(page: Page): AxeBuilder {
  // Legacy mode keeps axe from opening a second page for cross-origin frames in each run. The site has none.
  return new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
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
