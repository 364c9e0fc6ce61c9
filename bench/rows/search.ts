import type { Page } from "@playwright/test";
import type pg from "pg";
import { cardOf, startApplication } from "../../tests/support/visiting.ts";
import { launchBrowser, visit } from "../browser.ts";
import { type Figure, figure, quantile, type Row, shown, together } from "../figures.ts";
import { getPage, type MeasuredSite, siteOf } from "../site.ts";
import texts from "../texts.json" with { type: "json" };

/** From this size on the database searches; then a round trip is added, which the bench's own line does not have. */
const REMOTE_SIZE = 100_000;
const SIZES = [2_000, 20_000, REMOTE_SIZE];
const ROUND_TRIP_MS = 150;
/** How many articles fill a phone's screen. */
const ON_SCREEN = 2;
/** In no article: the whole table is read. */
const RARE_LETTERS = ["zq", "q?", "ü", "Žő"];

/** Milliseconds from the next key until the field is painted, and until the expected cards are. */
async function watchNextKey([expected, onScreen]: [string, number]) {
  const { timeStamp } = await new Promise<Event>((resolve) => {
    addEventListener("keydown", resolve, { capture: true, once: true });
  });
  const isThere = () => {
    const cards = [...document.querySelectorAll("[data-list] article")].slice(0, onScreen);
    return cards.map(({ id }) => id).join(" ") === expected;
  };
  // A task that a frame's callback begins runs when the frame is painted.
  const nextFrame = () =>
    new Promise<{ isLast: boolean; ms: number }>((resolve) => {
      requestAnimationFrame(() => {
        const isLast = isThere();
        setTimeout(() => resolve({ isLast, ms: performance.now() - timeStamp }));
      });
    });
  let frame = await nextFrame();
  const field = frame.ms;
  while (!frame.isLast) frame = await nextFrame();
  return { field, result: frame.ms };
}

async function firstFound(admin: pg.Client, text: string): Promise<string> {
  const { rows } = await admin.query<{ id: string }>(
    "select id from public.articles where title ilike $1 or content ilike $1 order by created_at desc, id limit $2",
    [`%${text}%`, ON_SCREEN],
  );
  return rows.map(({ id }) => id).join(" ");
}

async function typeWords(page: Page, { url, admin }: MeasuredSite) {
  await page.goto(`${url}/articles`);
  await startApplication(page);
  const field = page.getByRole("searchbox", { name: "Search", exact: true });
  await field.focus();
  // What the focus fetches has its time.
  await page.waitForTimeout(1_000);
  const keystrokes: { field: number; result: number }[] = [];
  const unfiltered = await firstFound(admin, "");
  for (const word of texts.typedWords.split(" ")) {
    let first = unfiltered;
    for (const [index, key] of [...word].entries()) {
      const next = await firstFound(admin, word.slice(0, index + 1));
      const isSeen = next !== "" && next !== first;
      const seen = isSeen && page.evaluate(watchNextKey, [next, ON_SCREEN] as [string, number]);
      // After each key event Chromium defers all but frames until the next one: a key let go at once would delay the result.
      await page.keyboard.down(key);
      if (seen) keystrokes.push(await seen);
      await page.keyboard.up(key);
      first = next || first;
    }
    await field.fill("");
    await cardOf(page, unfiltered.split(" ")[0] ?? "").waitFor();
  }
  return keystrokes;
}

export const search: Row = {
  title: "Search: keystroke to painted result",
  method: `Chromium, not slowed. Words are typed letter by letter, each key held until its result is painted. A keystroke counts when it changes the ${ON_SCREEN} cards on the screen. At ${shown(REMOTE_SIZE)} articles the line takes ${ROUND_TRIP_MS} ms there and back. Rare letters: the server's answer alone.`,
  async measure() {
    await using browser = await launchBrowser();
    const figures: Figure[] = [];
    for (const size of SIZES) {
      const site = await siteOf(size);
      const latency = size === REMOTE_SIZE ? ROUND_TRIP_MS : 0;
      const keystrokes = await visit(browser, (page) => typeWords(page, site), { latency });
      const fields = keystrokes.map((each) => each.field);
      const results = keystrokes.map((each) => each.result);
      const [middle, slowest] = [shown(quantile(results, 0.5)), shown(quantile(results, 1))];
      const note = `median ${middle} ms, slowest ${slowest} ms, ${keystrokes.length} keystrokes`;
      const parts = [
        figure("98 % of results", quantile(results, 0.98), { atMost: 100 + latency, unit: "ms", note }),
        figure("98 % of fields", quantile(fields, 0.98), { atMost: 50, unit: "ms" }),
      ];
      figures.push(together(`${shown(size)} articles`, parts));
    }
    const { url } = await siteOf(REMOTE_SIZE);
    const times: number[] = [];
    for (const text of RARE_LETTERS) {
      const begun = performance.now();
      await getPage(`${url}/lists/articles?q=${encodeURIComponent(text)}`);
      times.push(performance.now() - begun);
    }
    const subject = `${shown(REMOTE_SIZE)} articles, rare letters, the slowest`;
    return [...figures, figure(subject, Math.max(...times), { atMost: 1_000, unit: "ms" })];
  },
};
