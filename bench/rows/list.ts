import type { CDPSession, Page } from "@playwright/test";
import { hydrated } from "../../tests/support/visiting.ts";
import { launchBrowser, visit } from "../browser.ts";
import { figure, inTurns, type Row, ratio } from "../figures.ts";
import { newestArticles, siteOf } from "../site.ts";

const SIZE = 100_000;
const FEW = 60;
const MANY = 1_000;
const FRAMES = 300;
const TURNS = 5;

async function sizesOf(devTools: CDPSession): Promise<{ nodes: number; megabytes: number }> {
  await devTools.send("Performance.enable");
  await devTools.send("HeapProfiler.collectGarbage");
  const { metrics } = await devTools.send("Performance.getMetrics");
  const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return { nodes: value("Nodes"), megabytes: value("JSHeapUsedSize") / 1e6 };
}

/** How many frames took more than 50 ms. */
async function scrollByFrames(frames: number): Promise<number> {
  let late = 0;
  let last = performance.now();
  for (let frame = 0; frame < frames; frame++) {
    scrollBy({ top: 60, behavior: "instant" });
    const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
    if (now - last > 50) late++;
    last = now;
  }
  return late;
}

async function appendCards(wanted: number): Promise<void> {
  const seen = new Set<string>();
  while (seen.size < wanted) {
    scrollTo(0, document.documentElement.scrollHeight);
    await new Promise((resolve) => requestAnimationFrame(resolve));
    for (const { id } of document.querySelectorAll("[data-list] article")) seen.add(id);
  }
}

/** Milliseconds from the address until the card is in view. */
async function find(page: Page, url: string, id: string): Promise<number> {
  const begun = performance.now();
  await page.goto(`${url}/articles#${id}`);
  await page.waitForFunction((wanted) => {
    const box = document.getElementById(wanted)?.getBoundingClientRect();
    return box !== undefined && box.bottom > 0 && box.top < innerHeight;
  }, id);
  return performance.now() - begun;
}

export const list: Row = {
  title: "A list of 100,000 articles",
  method: `Chromium, not slowed: on to the sixtieth card, ${FRAMES} frames of 60 pixels, on to the thousandth. By address: the middle article and the hundredth, in turns.`,
  async measure() {
    await using browser = await launchBrowser();
    const site = await siteOf(SIZE);
    const scroll = async (page: Page, devTools: CDPSession) => {
      await page.goto(`${site.url}/articles`);
      await hydrated(page);
      await page.evaluate(appendCards, FEW);
      const few = await sizesOf(devTools);
      const late = await page.evaluate(scrollByFrames, FRAMES);
      await page.evaluate(appendCards, MANY);
      return { few, late, many: await sizesOf(devTools) };
    };
    const { few, late, many } = await visit(browser, scroll);
    const findAt = (position: number) => async () => {
      const [id = ""] = await newestArticles(site, 1, position);
      return visit(browser, (page) => find(page, site.url, id));
    };
    const finds = await inTurns(TURNS, findAt(SIZE / 2), findAt(100));
    const than = `after the first ${FEW}`;
    const memory = { atMost: 4, unit: "MB", decimals: 1, than };
    return [
      figure(`frames of ${FRAMES} that took more than 50 ms`, late, { atMost: 0 }),
      ratio("nodes after a thousand cards", [[many.nodes, few.nodes]], { atMost: 12, than }),
      ratio("JavaScript's memory after a thousand cards", [[many.megabytes, few.megabytes]], memory),
      ratio("find by #id", finds, { atMost: 1.3, unit: "ms", than: "the hundredth article" }),
    ];
  },
};
