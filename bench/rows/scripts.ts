import { brotliCompressSync } from "node:zlib";
import type { Browser, Page } from "@playwright/test";
import { hydrated, PAGES } from "../../tests/support/visiting.ts";
import { launchBrowser, visit } from "../browser.ts";
import { type Figure, figure, type Row, together } from "../figures.ts";
import { ownPages, siteOf } from "../site.ts";

/** The compressed size of inline scripts, except JSON-LD and scripts held back as text/plain. */
async function inlineScripts(page: Page): Promise<number> {
  const running = await page
    .locator("script:not([src], [type='text/plain'], [type*=json])")
    .allTextContents();
  return running.length === 0 ? 0 : brotliCompressSync(running.join("\n")).length;
}

/** Compressed bytes before the first interaction and in total. */
function measureScripts(browser: Browser, url: string): Promise<[before: number, all: number]> {
  return visit(browser, async (page) => {
    let bytes = 0;
    page.on("response", (response) => {
      const isScript = response.request().resourceType() === "script";
      if (isScript) bytes += Number(response.headers()["content-length"] ?? Number.NaN);
    });
    await page.goto(url, { waitUntil: "networkidle" });
    const inline = await inlineScripts(page);
    const before = bytes + inline;
    await hydrated(page);
    await page.waitForLoadState("networkidle");
    return [before, bytes + inline];
  });
}

export const scripts: Row = {
  title: "JavaScript",
  method:
    "Compressed bytes of all scripts, before an interaction and once the application runs. /profile starts it immediately.",
  async measure() {
    await using browser = await launchBrowser();
    const site = await siteOf(60);
    const figures: Figure[] = [];
    for (const path of [...PAGES, ...(await ownPages(site))]) {
      const [before, all] = await measureScripts(browser, site.url + path);
      const early = path === "/profile" ? {} : { atMost: 1 };
      const kilobytes = { unit: "kB", decimals: 2 };
      const parts = [
        figure("before an interaction", before / 1000, { ...kilobytes, ...early }),
        figure("in all", all / 1000, { ...kilobytes, atMost: 110 }),
      ];
      figures.push(together(path, parts));
    }
    return figures;
  },
};
