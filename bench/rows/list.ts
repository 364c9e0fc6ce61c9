import type { CDPSession, Page } from "@playwright/test";
import { startApplication, visit } from "../browser.ts";
import { atMost, type Goal, median, type Outcome, shown } from "../outcome.ts";
import type { MeasuredSite } from "../site.ts";

const SIZE = 100_000;
const SMALL = 60;
/** Frames scrolled at reading speed and more, and pages appended. */
const FRAMES = 300;
const TURNS = 5;
const JUMPS = 40;

interface Sizes {
  nodes: number;
  /** Bytes. */
  heap: number;
}

async function sizesOf(session: CDPSession): Promise<Sizes> {
  await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return { nodes: value("Nodes"), heap: value("JSHeapUsedSize") };
}

/** Scrolls 60 pixels a frame; the longest task in milliseconds. */
function scrollByFrames(page: Page): Promise<{ late: number; longest: number }> {
  return page.evaluate(async (frames) => {
    let longest = 0;
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
    });
    observer.observe({ type: "longtask" });
    let late = 0;
    let last = performance.now();
    for (let frame = 0; frame < frames; frame++) {
      scrollBy({ top: 60, behavior: "instant" });
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      if (now - last > 50) late++;
      last = now;
    }
    observer.disconnect();
    return { late, longest };
  }, FRAMES);
}

/** Goes to the end of what is here, again and again, waits each time for what follows. */
async function appendPages(page: Page): Promise<void> {
  for (let jump = 1; jump <= JUMPS; jump++) {
    const last = await page.locator("[data-list] article").last().getAttribute("id");
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await page.waitForFunction((id) => {
      const cards = document.querySelectorAll("[data-list] article");
      return cards.item(cards.length - 1).id !== id;
    }, last);
  }
}

async function idAt(site: MeasuredSite, place: number): Promise<string> {
  const answer = await site.admin.query<{ id: string }>(
    "select id from public.articles order by created_at desc, id offset $1 limit 1",
    [place],
  );
  return answer.rows[0]?.id ?? "";
}

/** The sizes of a short list, once all cards are there. */
async function sizesOfWhole(site: MeasuredSite, page: Page): Promise<Sizes> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  await page.goto(`${site.url}/articles`);
  await startApplication(page);
  // A document holds fewer.
  await page.waitForFunction((count) => {
    scrollTo(0, document.documentElement.scrollHeight);
    return document.querySelectorAll("[data-list] article").length === count;
  }, site.size);
  return sizesOf(session);
}

async function scrollThrough(site: MeasuredSite, small: Sizes, page: Page): Promise<Outcome[]> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  await page.goto(`${site.url}/articles`);
  await startApplication(page);
  const { late, longest } = await scrollByFrames(page);
  await appendPages(page);
  const after = await sizesOf(session);
  return [
    {
      subject: "scrolling",
      asked: "no frame later than 50 ms",
      measured: `${late} of ${FRAMES} frames late, longest task ${shown(longest)} ms`,
      isReached: late === 0,
    },
    {
      subject: "nodes, after a thousand cards",
      asked: `≤ 12 × a list of ${SMALL}`,
      measured: `${shown(after.nodes)} / ${shown(small.nodes)} = ${shown(after.nodes / small.nodes, 2)}`,
      isReached: atMost(12, after.nodes / small.nodes),
    },
    {
      subject: "JavaScript's memory, after a thousand cards",
      asked: `≤ 4 × a list of ${SMALL}`,
      measured: `${shown(after.heap / 1e6, 1)} / ${shown(small.heap / 1e6, 1)} MB = ${shown(after.heap / small.heap, 2)}`,
      isReached: atMost(4, after.heap / small.heap),
    },
  ];
}

/** Milliseconds from the address to the card in view. */
async function find(site: MeasuredSite, page: Page, id: string): Promise<number> {
  const start = performance.now();
  await page.goto(`${site.url}/articles#${id}`);
  await page.waitForFunction((wanted) => {
    const box = document.getElementById(wanted)?.getBoundingClientRect();
    return box !== undefined && box.bottom > 0 && box.top < innerHeight;
  }, id);
  return performance.now() - start;
}

export const list: Goal = {
  name: "list",
  title: "One list of 100,000 articles",
  method: `Chromium, not slowed: ${FRAMES} frames of 60 pixels, then ${JUMPS} pages appended. Found by address: an article in the middle, compared with the hundredth, the first ones being in the document.`,
  async measure(bench) {
    const browser = await bench.browser();
    const site = await bench.site(SIZE);
    const small = await bench.site(SMALL);
    const sizes = await visit(browser, {}, (page) => sizesOfWhole(small, page));
    const outcomes = await visit(browser, {}, (page) => scrollThrough(site, sizes, page));
    const middle = await idAt(site, SIZE / 2);
    const near = await idAt(site, 100);
    const far: number[] = [];
    const close: number[] = [];
    for (let turn = 0; turn < TURNS; turn++) {
      far.push(await visit(browser, {}, (page) => find(site, page, middle)));
      close.push(await visit(browser, {}, (page) => find(site, page, near)));
    }
    outcomes.push({
      subject: "find by #id",
      asked: "any item at once: ≤ 1.3 × as long as the hundredth",
      measured: `${shown(median(far))} / ${shown(median(close))} ms = ${shown(median(far) / median(close), 2)}`,
      isReached: atMost(1.3, median(far) / median(close)),
    });
    return outcomes;
  },
};
