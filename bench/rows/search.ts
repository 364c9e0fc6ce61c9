import type { Page } from "@playwright/test";
import { type Conditions, startApplication, visit } from "../browser.ts";
import { firstFound, ON_SCREEN, WORDS } from "../data.ts";
import { getPage } from "../http.ts";
import { atMost, type Bench, type Goal, type Outcome, quantile, shown } from "../outcome.ts";
import type { MeasuredSite } from "../site.ts";

/** What a round trip costs where the database searches; the bench's own is too short to be told from nothing. */
const ROUND_TRIP = 150;

interface Keystrokes {
  /** Milliseconds from each keystroke to the painted result. */
  results: number[];
  /** Milliseconds from each keystroke to the next painting of the field. */
  fields: number[];
}

/** Watches keystrokes inside the page: when each was made, when the field was painted, when the list began with certain ids. */
function watchKeystrokes(onScreen: number): void {
  const watch = { pressed: 0, field: 0, expected: "", result: 0 };
  Object.assign(window, { watch });
  addEventListener(
    "keydown",
    ({ timeStamp }) => {
      watch.pressed = timeStamp;
      requestAnimationFrame(() =>
        setTimeout(() => {
          watch.field = performance.now() - timeStamp;
        }),
      );
    },
    true,
  );
  const look = () => {
    const cards = [...document.querySelectorAll("[data-list] article")].slice(0, onScreen);
    const first = cards.map(({ id }) => id).join(" ");
    if (watch.pressed && watch.expected && first === watch.expected) {
      const { pressed } = watch;
      watch.expected = "";
      // A task behind this frame's painting.
      setTimeout(() => {
        watch.result = performance.now() - pressed;
      });
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

type Watched = Window & { watch: { pressed: number; field: number; expected: string; result: number } };

async function press(page: Page, key: string, expected: string): Promise<{ result: number; field: number }> {
  await page.evaluate((ids) => {
    Object.assign((window as unknown as Watched).watch, { expected: ids, result: 0, field: 0, pressed: 0 });
  }, expected);
  // No finger lets go of a key sooner. After each event of a key Chromium puts off what is no frame until the next
  // one, answers as well, so that a key let go at once would be measured, not the search.
  await page.keyboard.down(key);
  await page.waitForFunction(() => {
    const { result, field } = (window as unknown as Watched).watch;
    return result > 0 && field > 0;
  });
  await page.keyboard.up(key);
  return page.evaluate(() => (window as unknown as Watched).watch);
}

/** Types words letter by letter; a keystroke counts when it changes the cards on the screen, which is how its result is seen. */
async function typeWords(bench: Bench, site: MeasuredSite, conditions: Conditions): Promise<Keystrokes> {
  const seen: Keystrokes = { results: [], fields: [] };
  const firstOf = async (text: string) => (await firstFound(site.admin, text)).join(" ");
  await visit(await bench.browser(), conditions, async (page) => {
    await page.addInitScript(watchKeystrokes, ON_SCREEN);
    await page.goto(`${site.url}/articles`);
    await startApplication(page);
    const field = page.getByRole("searchbox", { name: "Search", exact: true });
    await field.focus();
    // What the focus fetches has its time; a visitor who types sooner waits for it.
    await page.waitForTimeout(1_000);
    let first = await firstOf("");
    for (const word of WORDS) {
      for (let letters = 1; letters <= word.length; letters++) {
        const next = await firstOf(word.slice(0, letters));
        const key = word.charAt(letters - 1);
        if (next === "" || next === first) {
          await page.keyboard.press(key);
          continue;
        }
        const { result, field: painted } = await press(page, key, next);
        seen.results.push(result);
        seen.fields.push(painted);
        first = next;
      }
      await field.fill("");
      first = await firstOf("");
      await page.locator(`[data-list] article[id="${first.split(" ")[0]}"]`).waitFor();
    }
  });
  return seen;
}

function judge(size: number, { results, fields }: Keystrokes, isRemote: boolean): Outcome {
  const limit = isRemote ? ROUND_TRIP + 100 : 100;
  const late = quantile(results, 0.98);
  const stutter = quantile(fields, 0.98);
  return {
    subject: `${shown(size)} articles`,
    asked: isRemote
      ? `98 % within a round trip (${ROUND_TRIP} ms) and 100 ms; the field within 50 ms`
      : "98 % within 100 ms; the field within 50 ms",
    measured: `median ${shown(quantile(results, 0.5))} ms, 98 % ${shown(late)} ms, slowest ${shown(quantile(results, 1))} ms; field 98 % ${shown(stutter)} ms (${results.length} keystrokes)`,
    isReached: atMost(limit, late) && atMost(50, stutter),
  };
}

/** That no article holds: the whole table is looked through. */
const RARE_LETTERS = ["zq", "q?", "ü", "Žő"];

async function findRareLetters(site: MeasuredSite): Promise<Outcome> {
  const times: number[] = [];
  for (const text of RARE_LETTERS) {
    const begun = performance.now();
    await getPage(site.url, `/lists/articles?q=${encodeURIComponent(text)}`);
    times.push(performance.now() - begun);
  }
  return {
    subject: `${shown(site.size)} articles, one or two letters that none of them holds`,
    asked: "≤ 1,000 ms",
    measured: `${times.map((ms) => shown(ms)).join(", ")} ms`,
    isReached: atMost(1_000, quantile(times, 1)),
  };
}

export const search: Goal = {
  name: "search",
  title: "Search: keystroke to painted result",
  method: `Chromium, not slowed; words typed letter by letter, each key held until its result is painted, and the next one pressed at once; a keystroke counts when it changes the ${ON_SCREEN} cards on the screen. At 100,000 articles with a line of ${ROUND_TRIP} ms there and back.`,
  async measure(bench) {
    const outcomes: Outcome[] = [];
    for (const size of [2_000, 20_000]) {
      const site = await bench.site(size);
      outcomes.push(judge(size, await typeWords(bench, site, {}), false));
    }
    const site = await bench.site(100_000);
    outcomes.push(judge(100_000, await typeWords(bench, site, { latency: ROUND_TRIP }), true));
    outcomes.push(await findRareLetters(site));
    return outcomes;
  },
};
