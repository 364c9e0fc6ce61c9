import type { Page } from "@playwright/test";
import { hydrated } from "../../tests/support/visiting.ts";
import { launchBrowser, visit } from "../browser.ts";
import { type Benchmark, figure, formatNumber, inTurns, ratio } from "../figures.ts";
import { newestArticles, siteOf } from "../site.ts";

const SIZE = 100_000;
const CARDS = 120;
/** The number of published articles before the one near the top. */
const NEAR_TOP = 100;
const FRAMES = 300;
const TURNS = 5;

/** Scrolls down the list by 60 pixels per frame. Returns how many frames took more than 50 ms. */
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

async function showCards(wanted: number): Promise<void> {
  while (document.querySelectorAll(".paged-list article").length < wanted) {
    scrollTo(0, document.documentElement.scrollHeight);
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  scrollTo(0, 0);
}

/** Opens the list with an article's id as the fragment. Returns the milliseconds until its card is in view. */
async function find(page: Page, url: string, id: string): Promise<number> {
  const start = performance.now();
  await page.goto(`${url}/articles#${id}`);
  await page.waitForFunction((wanted) => {
    const box = document.getElementById(wanted)?.getBoundingClientRect();
    return box !== undefined && box.bottom > 0 && box.top < innerHeight;
  }, id);
  return performance.now() - start;
}

export const list: Benchmark = {
  title: "A list of 100,000 articles",
  method: `Measured in Chromium without throttling. Scrolling takes ${FRAMES} frames of 60 pixels each through a list of ${CARDS} cards. *find an article by #id* is the time from opening a URL with an article's fragment until that article is in view: an article that follows ${formatNumber(SIZE / 2)} published ones, compared with one that follows ${NEAR_TOP}.`,
  async measure() {
    await using browser = await launchBrowser();
    const site = await siteOf(SIZE);
    const late = await visit(browser, async (page) => {
      await page.goto(`${site.url}/articles`);
      await hydrated(page);
      await page.evaluate(showCards, CARDS);
      return page.evaluate(scrollByFrames, FRAMES);
    });
    const findAt = (position: number) => async () => {
      const [id = ""] = await newestArticles(site, 1, position);
      return visit(browser, (page) => find(page, site.url, id));
    };
    const finds = await inTurns(TURNS, findAt(SIZE / 2), findAt(NEAR_TOP));
    return [
      figure(`frames that took more than 50 ms, of ${FRAMES}`, late, { atMost: 0 }),
      ratio("find an article by #id", finds, { atMost: 1.3, unit: "ms", than: "an article near the top" }),
    ];
  },
};
