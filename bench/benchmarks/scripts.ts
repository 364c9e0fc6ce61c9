import type { Browser } from "@playwright/test";
import { hydrated, PAGES } from "../../tests/support/visiting.ts";
import { launchBrowser, visit } from "../browser.ts";
import { type Benchmark, type Figure, figure } from "../figures.ts";
import { ownPages, siteOf } from "../site.ts";

/** Returns the compressed bytes of all script files. Inline scripts count as part of the document instead. */
function scriptBytes(browser: Browser, url: string): Promise<number> {
  return visit(browser, async (page) => {
    let bytes = 0;
    page.on("response", (response) => {
      const isScript = response.request().resourceType() === "script";
      if (isScript) bytes += Number(response.headers()["content-length"] ?? Number.NaN);
    });
    await page.goto(url);
    await hydrated(page);
    await page.waitForLoadState("networkidle");
    return bytes;
  });
}

export const scripts: Benchmark = {
  title: "JavaScript",
  method:
    "The compressed size of all script files that a page has loaded after hydration, which include the code of the other pages.",
  async measure() {
    await using browser = await launchBrowser();
    const site = await siteOf(60);
    const figures: Figure[] = [];
    for (const path of [...PAGES, ...(await ownPages(site))]) {
      const bytes = await scriptBytes(browser, site.url + path);
      figures.push(figure(`scripts of ${path}`, bytes / 1000, { unit: "kB", decimals: 1, atMost: 130 }));
    }
    return figures;
  },
};
