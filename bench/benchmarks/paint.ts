import { randomBytes } from "node:crypto";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { fontsShown, hydrated } from "../../tests/support/visiting.ts";
import { launchBrowser, SLOW, visit } from "../browser.ts";
import {
  type Benchmark,
  combine,
  type Figure,
  figure,
  formatNumber,
  inTurns,
  median,
  ratio,
} from "../figures.ts";
import { getPage, ownPages, siteOf, startBareServer } from "../site.ts";

const PATHS = ["/", "/articles", "/useful-links", "/sample-code"];
/** The number of items of each kind. More would not change the pages, which contain only the first items of a list. */
const SIZE = 2_000;
const VISITS = 7;

/**
 * Returns the page that the site's page is compared with: the same text without styles and scripts, padded at the end to
 * the same compressed size.
 */
function barePage(page: Buffer): Buffer {
  const html = brotliDecompressSync(page)
    .toString()
    .replace(/<(style|script|noscript|svg)\b[\s\S]*?<\/\1>/g, "")
    .replace(/<link\b[^>]*>/g, "")
    .replace(/ (class|style|data-[\w-]+|id)="[^"]*"/g, "");
  const missing = Math.max(0, page.length - brotliCompressSync(html).length);
  // Random bytes in base64 compress to about their original size.
  return brotliCompressSync(`${html}<!-- ${randomBytes(missing).toString("base64")} -->`);
}

/** Measures the largest contentful paint, the layout shift, and the sum of each long task's time over 50 ms. */
async function openPage(page: Page, url: string, isHydrating: boolean) {
  await page.goto(url, { waitUntil: "load" });
  if (isHydrating) {
    await hydrated(page);
    // Texts may move when their font arrives.
    await fontsShown(page);
  }
  return page.evaluate(async () => {
    const seen: PerformanceEntry[] = [];
    for (const type of ["largest-contentful-paint", "layout-shift", "longtask"]) {
      new PerformanceObserver((list) => seen.push(...list.getEntries())).observe({ type, buffered: true });
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
    const all = (type: string) => seen.filter(({ entryType }) => entryType === type);
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
    return {
      paint: all("largest-contentful-paint").at(-1)?.startTime ?? Number.NaN,
      shift: sum(all("layout-shift").map((entry) => (entry as PerformanceEntry & { value: number }).value)),
      blocked: sum(all("longtask").map(({ duration }) => Math.max(0, duration - 50))),
    };
  });
}

export const paint: Benchmark = {
  title: "First paint with content",
  method: `Largest contentful paint, layout shift and blocking time until the fonts are shown, which load after hydration, in Chromium with a round trip of 150 ms, 1.6 Mbit/s, a CPU slowed down four times and Android's fonts, with ${formatNumber(SIZE)} items of each kind. The values are medians of ${VISITS} visits to the site and to a bare page, alternately, except the shift, which is the largest of all visits. The bare page has the same text and the same number of bytes, but no styles or scripts. A server with only node:http sends it.`,
  async measure() {
    await using browser = await launchBrowser();
    const figures: Figure[] = [];
    const site = await siteOf(SIZE);
    for (const path of [...PATHS, ...(await ownPages(site))]) {
      const body = barePage((await getPage(site.url + path)).body);
      const headers = { "Content-Type": "text/html; charset=utf-8", "Content-Encoding": "br" };
      const bare = await startBareServer(headers, body);
      const open = (origin: string) => () =>
        visit(browser, (page) => openPage(page, origin + path, origin === site.url), SLOW);
      const visits = await inTurns(VISITS, open(site.url), open(bare.url));
      await bare.stop();
      const paints = visits.map(([own, other]): [number, number] => [own.paint, other.paint]);
      const blocked = median(visits.map(([own]) => own.blocked));
      // Round to three decimals, as the journeys do: links in the top bar move by up to 5 pixels when their font has
      // loaded, and such a small shift must not count.
      const shift = Math.round(1_000 * Math.max(...visits.map(([own]) => own.shift))) / 1_000;
      const parts = [
        ratio("paint", paints, { atMost: 1.6, unit: "ms", than: "a bare page" }),
        figure("shift", shift, { atMost: 0, decimals: 3 }),
        figure("blocked", blocked, { atMost: 100, unit: "ms" }),
      ];
      figures.push(combine(path, parts));
    }
    return figures;
  },
};
