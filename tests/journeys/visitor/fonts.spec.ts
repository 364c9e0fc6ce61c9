import { KINDS } from "../../../common/kinds/index.ts";
import { expect, test } from "../../support/site.ts";
import { fontsShown } from "../../support/visiting.ts";

// arrival.spec.ts checks what fonts change on pages with content.

test("without scripts, a page loads its fonts at once", async ({ browser, site }) => {
  await using context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const font = page.waitForRequest(/\.woff2$/);
  await page.goto(site.url);
  await font;
});

test("on phones and tablets, the search fields of lists stay in place when the site's font arrives, and on all screens, the lists' headings have the same size", async ({
  page,
}) => {
  test.setTimeout(120_000);
  // Most of these widths are those at which a description has more lines in a fallback font.
  const widths = [320, 352, 384, 390, 450, 664, 686, 744];
  const paths = [...KINDS.map(({ path }) => path), "/people", "/search"];
  const headingSizes: string[][] = [];
  for (const path of paths) {
    const arrival = Promise.withResolvers<void>();
    await page.route(/\.woff2$/, (route) => arrival.promise.then(() => route.continue()));
    // The layout of an empty list takes less time, and its search field is at the same place.
    await page.goto(`${path}?q=words+that+no+item+has`, { waitUntil: "commit" });
    await page.getByRole("contentinfo").waitFor();
    const field = page.getByRole("searchbox", { name: "Search", exact: true });
    const places = async () => {
      const tops: Record<number, number | undefined> = {};
      for (const width of widths) {
        await page.setViewportSize({ width, height: 844 });
        tops[width] = (await field.boundingBox())?.y;
      }
      return tops;
    };
    const before = await places();
    arrival.resolve();
    await fontsShown(page);
    expect(await places(), path).toEqual(before);
    const heading = page.getByRole("heading", { level: 1 });
    const sizes: string[] = [];
    for (const width of [390, 1920]) {
      await page.setViewportSize({ width, height: 844 });
      sizes.push(await heading.evaluate((element) => getComputedStyle(element).fontSize));
    }
    headingSizes.push(sizes);
    await page.unrouteAll({ behavior: "wait" });
  }
  expect(headingSizes).toEqual(paths.map(() => headingSizes[0]));
});
