import type { Page } from "@playwright/test";
import { violations } from "../../support/axe.ts";
import { expect, openSite, testOwnSite } from "../../support/site.ts";
import { hydrated } from "../../support/visiting.ts";

const test = testOwnSite(() => openSite({ SEED: "demo" }));

test.use({ keepsMembers: true });

/** Checks a page with axe on a phone in light mode and on a desktop in dark mode, and the heights of its controls. */
async function expectAccessible(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await hydrated(page);
  expect(await violations(page), path).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  const controls = page.locator(
    "header a, button, input:not([type=checkbox]), select, main li > a:not(article a)",
  );
  const tooLow = await controls.evaluateAll((all) =>
    all
      .filter(
        (control) =>
          control.checkVisibility({ visibilityProperty: true }) && control.getClientRects().length > 0,
      )
      .filter((control) => control.getBoundingClientRect().height < 44)
      .map((control) => control.outerHTML.slice(0, 100)),
  );
  expect(tooLow, path).toEqual([]);
}

test("on the main pages and searches, axe finds no accessibility violations on a phone in light mode and on a desktop in dark mode, and controls are at least 44 pixels high at a phone's width", async ({
  page,
}) => {
  test.slow();
  for (const path of [
    "/",
    "/articles",
    "/profile",
    // A search keeps the list short. All cards of links have the same elements.
    "/useful-links?q=python",
    // This search finds at least one sample in each language.
    "/sample-code?q=limit",
    "/articles?q=no+article+has+these+words",
  ])
    await test.step(path, () => expectAccessible(page, path));
});

test.describe("accessibility of the page for an unknown URL", () => {
  test.use({ expectedProblems: [/status of 404/] });

  test("on the page for an unknown URL, axe finds no accessibility violations on a phone in light mode and on a desktop in dark mode, and controls are at least 44 pixels high at a phone's width", async ({
    page,
  }) => {
    await expectAccessible(page, "/nowhere");
  });
});

test("Tab reaches every control in page order, and each one shows a focus outline", async ({ page }) => {
  // A search keeps the list short. All cards have the same controls.
  for (const path of ["/", "/useful-links?q=python", "/profile"]) {
    await page.goto(path);
    await hydrated(page);
    const reached = await page.evaluateHandle((): Element[] => []);
    for (;;) {
      await page.keyboard.press("Tab");
      const focused = await reached.evaluate((elements) => {
        const element = document.activeElement;
        if (!element || element === document.body) return null;
        const last = elements.at(-1);
        elements.push(element);
        const { outlineStyle, outlineWidth } = getComputedStyle(element);
        const { width, height } = element.getBoundingClientRect();
        return {
          html: element.outerHTML.slice(0, 100),
          isNext: !last || Boolean(last.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING),
          isOutlined: outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2,
          isVisible: width > 0 && height > 0,
        };
      });
      if (!focused) break;
      expect(focused, path).toMatchObject({ isNext: true, isOutlined: true, isVisible: true });
    }
    const missed = await page.locator("a[href], button, input, select, textarea, summary").evaluateAll(
      (controls, elements) =>
        controls
          .filter((control) => control.checkVisibility({ visibilityProperty: true }))
          .filter((control) => !control.matches(":disabled") && !elements.includes(control))
          .map((control) => control.outerHTML.slice(0, 100)),
      reached,
    );
    expect(missed, path).toEqual([]);
    expect(await reached.evaluate((elements) => elements.length)).toBeGreaterThan(5);
  }
});
