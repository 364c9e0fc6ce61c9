import type { CDPSession, Page } from "@playwright/test";
import { startApplication } from "../../tests/support/visiting.ts";
import { visit } from "../browser.ts";
import { figure, inTurns, ratio } from "../figures.ts";
import type { Row } from "../row.ts";
import type { MeasuredSite } from "../site.ts";

const SIZE = 100_000;
const SMALL = 60;
const FRAMES = 300;
const PAGES = 40;
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

async function appendPage(page: Page): Promise<void> {
  const last = await page.locator("[data-list] article").last().getAttribute("id");
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const hasMore = (id: string | null) =>
    [...document.querySelectorAll("[data-list] article")].at(-1)?.id !== id;
  await page.waitForFunction(hasMore, last);
}

/** Milliseconds from the address until the card is in view. */
async function find({ url, admin }: MeasuredSite, page: Page, position: number): Promise<number> {
  const { rows } = await admin.query<{ id: string }>(
    "select id from public.articles order by created_at desc, id offset $1 limit 1",
    [position],
  );
  const begun = performance.now();
  await page.goto(`${url}/articles#${rows[0]?.id}`);
  await page.waitForFunction((id = "") => {
    const box = document.getElementById(id)?.getBoundingClientRect();
    return box !== undefined && box.bottom > 0 && box.top < innerHeight;
  }, rows[0]?.id);
  return performance.now() - begun;
}

export const list: Row = {
  name: "list",
  title: "A list of 100,000 articles",
  method: `Chromium, not slowed: ${FRAMES} frames of 60 pixels, then ${PAGES} pages appended. By address: the middle article and the hundredth, in turns.`,
  async measure(bench) {
    const browser = await bench.browser();
    const [site, small] = [await bench.site(SIZE), await bench.site(SMALL)];
    const openList = ({ url }: MeasuredSite, act: (page: Page) => Promise<unknown>) =>
      visit(browser, async (page, devTools) => {
        await page.goto(`${url}/articles`);
        await startApplication(page);
        const result = await act(page);
        return { result, ...(await sizesOf(devTools)) };
      });
    const few = await openList(small, (page) => {
      const isWhole = (count: number) => {
        scrollTo(0, document.documentElement.scrollHeight);
        return document.querySelectorAll("[data-list] article").length === count;
      };
      return page.waitForFunction(isWhole, SMALL);
    });
    const many = await openList(site, async (page) => {
      const late = await page.evaluate(scrollByFrames, FRAMES);
      for (let appended = 0; appended < PAGES; appended++) await appendPage(page);
      return late;
    });
    const findAt = (position: number) => () => visit(browser, (page) => find(site, page, position));
    const [far, near] = await inTurns(TURNS, findAt(SIZE / 2), findAt(100));
    const than = `a list of ${SMALL}`;
    const memory = { atMost: 4, unit: "MB", decimals: 1, than };
    return [
      figure(`frames of ${FRAMES} that took more than 50 ms`, Number(many.result), { atMost: 0 }),
      ratio("nodes after a thousand cards", [many.nodes], [few.nodes], { atMost: 12, than }),
      ratio("JavaScript's memory after a thousand cards", [many.megabytes], [few.megabytes], memory),
      ratio("find by #id", far, near, { atMost: 1.3, unit: "ms", than: "the hundredth article" }),
    ];
  },
};
