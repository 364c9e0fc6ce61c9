import type { Page } from "@playwright/test";
import type pg from "pg";
import { hydrated } from "../../tests/support/visiting.ts";
import { launchBrowser, SLOW, visit } from "../browser.ts";
import { type Benchmark, combine, type Figure, figure, formatNumber, median, quantile } from "../figures.ts";
import { getPage, type MeasuredSite, siteOf } from "../site.ts";
import texts from "../texts.json" with { type: "json" };

const LARGEST = 100_000;
const CASES = [
  { name: "2,000 articles", size: 2_000 },
  { name: "100,000 articles", size: LARGEST },
];
/** The goal for showing a result after a keystroke. It includes the 200 ms that the page waits before it searches. */
const RESULT_MS = 350;
const FIRST_RESULT_MS = 1_500;
const PHONE_VISITS = 5;
type Keystroke = { letters: number; field: number; result: number };
/** After this time, the expected article will never be shown. */
const GIVE_UP_MS = 20_000;
/** Letters that no article contains. They are too few for the trigram index, so each search reads the whole table. */
const RARE_LETTERS = ["zq", "q?", "ü", "Žő"];

/** Runs in the page. Measures how long after the next key press the field and the expected first card are painted. */
function watchNextKey([expected, giveUpMs]: [string, number]) {
  const key = new Promise<Event>((resolve) => {
    addEventListener("keydown", resolve, { capture: true, once: true });
  });
  const isShown = () => document.querySelector(".paged-list article")?.id === expected;
  // A task that is queued by a frame's callback runs after the frame is painted.
  const nextFrame = () =>
    new Promise<{ isLast: boolean; paintedAt: number }>((resolve) => {
      requestAnimationFrame(() => {
        const isLast = isShown();
        setTimeout(() => resolve({ isLast, paintedAt: performance.now() }));
      });
    });
  async function watch() {
    const { timeStamp } = await key;
    let frame = await nextFrame();
    const field = frame.paintedAt - timeStamp;
    while (!frame.isLast) {
      if (frame.paintedAt - timeStamp > giveUpMs) throw new Error(`Article ${expected} was not shown`);
      frame = await nextFrame();
    }
    return { field, result: frame.paintedAt - timeStamp };
  }
  return { painted: watch() };
}

/**
 * Returns the id of the newest article that contains the text. A list shows only part of what a search for one or two
 * letters finds, but always the first one of the part that it has read.
 */
async function firstFound(admin: pg.Client, text: string): Promise<string> {
  const { rows } = await admin.query<{ id: string }>(
    "select id from public.articles where title ilike $1 or content ilike $1 order by created_at desc, id limit 1",
    [`%${text}%`],
  );
  return rows[0]?.id ?? "";
}

/**
 * Types each word into the search field of a newly opened page. Returns the times of the keystrokes that change the
 * first result.
 */
async function typeWords(page: Page, { url, admin }: MeasuredSite) {
  const keystrokes: Keystroke[] = [];
  for (const word of texts.typedWords.split(" ")) {
    await page.goto(`${url}/articles`);
    await hydrated(page);
    await page.getByRole("searchbox", { name: "Search", exact: true }).focus();
    let first = await firstFound(admin, "");
    for (const [index, key] of [...word].entries()) {
      const typed = word.slice(0, index + 1);
      const next = await firstFound(admin, typed);
      const isSeen = next !== "" && next !== first;
      const watching =
        isSeen && (await page.evaluateHandle(watchNextKey, [next, GIVE_UP_MS] as [string, number]));
      // After a key event, Chromium defers everything but frames until a frame has been painted. Hold the key, because
      // releasing it immediately would delay the result once more.
      await page.keyboard.down(key);
      if (watching) {
        const times = await watching.evaluate(({ painted }) => painted);
        keystrokes.push({ letters: typed.length, ...times });
      } else await page.waitForURL(({ searchParams }) => searchParams.get("q") === typed);
      await page.keyboard.up(key);
      first = next || first;
    }
  }
  return keystrokes;
}

function keystrokeFigure(name: string, keystrokes: Keystroke[], within: number): Figure {
  const results = keystrokes.map(({ result }) => result);
  const note = `median ${formatNumber(median(results))} ms, slowest ${formatNumber(Math.max(...results))} ms, ${results.length} keystrokes`;
  const fields = keystrokes.map(({ field }) => field);
  return combine(name, [
    figure("98% of results", quantile(results, 0.98), { atMost: within, unit: "ms", note }),
    figure("98% of fields", quantile(fields, 0.98), { atMost: 50, unit: "ms" }),
  ]);
}

/** Returns the milliseconds from the first paint, when the visitor starts typing, until the result is shown. */
async function searchAtFirstPaint(page: Page, { url, admin }: MeasuredSite): Promise<number> {
  const text = "zyxwvut";
  const expected = await firstFound(admin, text);
  await page.goto(`${url}/articles`, { waitUntil: "commit" });
  const firstPaint = await page.evaluate(
    () =>
      new Promise<number>((resolve) =>
        new PerformanceObserver((list) => resolve(list.getEntries()[0]?.startTime ?? 0)).observe({
          type: "paint",
          buffered: true,
        }),
      ),
  );
  await page.getByRole("searchbox", { name: "Search", exact: true }).fill(text);
  await page.waitForFunction((id) => document.querySelector(".paged-list article")?.id === id, expected);
  return page.evaluate((start) => performance.now() - start, firstPaint);
}

export const search: Benchmark = {
  title: "Search: from a keystroke to the painted result",
  method: `Measured in Chromium. Each word is typed letter by letter into a newly opened page, and each key is held until its result is painted. Only keystrokes that change the first card of the list count. A field's time is from the key press until the typed letter is painted. A result's time is from the key press until the new card is painted, and includes the 200 ms that the page waits after a keystroke. On the phone (a round trip of 150 ms, 1.6 Mbit/s, a CPU slowed down four times), the visitor starts typing at the first paint; median of ${PHONE_VISITS} visits. *rare letters* are one or two characters that no article contains; for them, only the server's response time is measured, with ${formatNumber(LARGEST)} articles.`,
  async measure() {
    await using browser = await launchBrowser();
    const figures: Figure[] = [];
    for (const { name, size } of CASES) {
      const all = await visit(browser, async (page) => typeWords(page, await siteOf(size)));
      const least = size === LARGEST ? 3 : 1;
      const { many = [], few = [] } = Object.groupBy(all, (key) => (key.letters < least ? "few" : "many"));
      figures.push(keystrokeFigure(`typing among ${name}`, many, RESULT_MS));
      // Searches for one or two letters can't use the trigram index. They read the list in order until they have found a
      // page of items, and the whole table if few items match.
      if (few.length > 0)
        figures.push(keystrokeFigure(`typing one or two letters among ${name}`, few, 1_500));
    }
    const firstResults: number[] = [];
    for (let visits = 0; visits < PHONE_VISITS; visits++) {
      const site = await siteOf(LARGEST);
      firstResults.push(await visit(browser, (page) => searchAtFirstPaint(page, site), SLOW));
    }
    const goal = { atMost: FIRST_RESULT_MS, unit: "ms" };
    figures.push(figure("first result on a phone, after the first paint", median(firstResults), goal));
    const { url } = await siteOf(LARGEST);
    let slowest = 0;
    for (const text of RARE_LETTERS) {
      const start = performance.now();
      await getPage(`${url}/articles.data?q=${encodeURIComponent(text)}`);
      slowest = Math.max(slowest, performance.now() - start);
    }
    const rare = figure("slowest search for rare letters", slowest, { atMost: 1_500, unit: "ms" });
    return [...figures, rare];
  },
};
