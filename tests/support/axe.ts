import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/** All other rules find the same in either scheme. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

/** What axe objects to in the light scheme, and to the colours of the dark one. */
export async function violations(page: Page): Promise<string[]> {
  await switchTo(page, "light");
  const light = await analyze(newAxe(page), "light");
  await switchTo(page, "dark");
  const dark = await analyze(newAxe(page).withRules(COLOR_RULES), "dark");
  return [...light, ...dark];
}

function newAxe(page: Page): AxeBuilder {
  // Otherwise each run opens a window of its own, for frames of other origins, of which there are none.
  return new AxeBuilder({ page }).setLegacyMode();
}

async function switchTo(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.evaluate(async () => {
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  });
}

async function analyze(axe: AxeBuilder, scheme: string): Promise<string[]> {
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html }) => `${id} (${scheme}): ${help}: ${html}`),
  );
}
