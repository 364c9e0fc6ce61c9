import type { Page } from "@playwright/test";
import type pg from "pg";
import { startApplication } from "../../tests/support/visiting.ts";
import { visit } from "../browser.ts";
import { ON_SCREEN } from "../data.ts";
import { type Figure, figure, quantile, shown, together } from "../figures.ts";
import type { Bench, Row } from "../row.ts";
import { getPage } from "../site.ts";
import texts from "../texts.json" with { type: "json" };

/** From this size on the database searches; then a round trip is added, which the bench's own line does not have. */
const REMOTE_SIZE = 100_000;
const SIZES = [2_000, 20_000, REMOTE_SIZE];
const ROUND_TRIP_MS = 150;
/** In no article: the whole table is read. */
const RARE_LETTERS = ["zq", "q?", "ü", "Žő"];

/** Milliseconds from the keystroke until the field is painted, and until the expected cards are. */
interface Keystroke {
  field: number;
  result: number;
}

function watchNextKey([expected, onScreen]: [string, number]): Promise<Keystroke> {
  return new Promise((resolve) => {
    const onKey = ({ timeStamp }: Event) => {
      let field = 0;
      // A task that a frame's callback begins runs when the frame is painted.
      const painted = (note: (ms: number) => void) => setTimeout(() => note(performance.now() - timeStamp));
      const look = () => {
        if (field === 0) painted((ms) => (field ||= ms));
        const cards = [...document.querySelectorAll("[data-list] article")].slice(0, onScreen);
        const isThere = cards.map(({ id }) => id).join(" ") === expected;
        if (isThere) painted((result) => resolve({ field, result }));
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    };
    addEventListener("keydown", onKey, { capture: true, once: true });
  });
}

async function press(page: Page, key: string, expected: string): Promise<Keystroke> {
  const seen = page.evaluate(watchNextKey, [expected, ON_SCREEN] as [string, number]);
  // After each key event Chromium defers all but frames until the next one: a key let go at once would delay the result.
  await page.keyboard.down(key);
  const keystroke = await seen;
  await page.keyboard.up(key);
  return keystroke;
}

async function firstFound(admin: pg.Client, text: string): Promise<string> {
  const { rows } = await admin.query<{ id: string }>(
    "select id from public.articles where title ilike $1 or content ilike $1 order by created_at desc, id limit $2",
    [`%${text}%`, ON_SCREEN],
  );
  return rows.map(({ id }) => id).join(" ");
}

async function typeWords(bench: Bench, size: number): Promise<Keystroke[]> {
  const { url, admin } = await bench.site(size);
  const typing = async (page: Page) => {
    await page.goto(`${url}/articles`);
    await startApplication(page);
    const field = page.getByRole("searchbox", { name: "Search", exact: true });
    await field.focus();
    // What the focus fetches has its time.
    await page.waitForTimeout(1_000);
    const seen: Keystroke[] = [];
    const unfiltered = await firstFound(admin, "");
    for (const word of texts.typedWords.split(" ")) {
      let first = unfiltered;
      for (const [index, key] of [...word].entries()) {
        const next = await firstFound(admin, word.slice(0, index + 1));
        const isSeen = next !== "" && next !== first;
        if (isSeen) seen.push(await press(page, key, next));
        else await page.keyboard.press(key);
        first = next || first;
      }
      await field.fill("");
      await page.locator(`[data-list] article[id="${unfiltered.split(" ")[0]}"]`).waitFor();
    }
    return seen;
  };
  return visit(await bench.browser(), typing, { latency: size === REMOTE_SIZE ? ROUND_TRIP_MS : 0 });
}

function judge(size: number, keystrokes: Keystroke[]): Figure {
  const share = (of: keyof Keystroke, part: number) =>
    quantile(
      keystrokes.map((each) => each[of]),
      part,
    );
  const note = `median ${shown(share("result", 0.5))} ms, slowest ${shown(share("result", 1))} ms, ${keystrokes.length} keystrokes`;
  const atMost = 100 + (size === REMOTE_SIZE ? ROUND_TRIP_MS : 0);
  return together(`${shown(size)} articles`, [
    figure("98 % of results", share("result", 0.98), { atMost, unit: "ms", note }),
    figure("98 % of fields", share("field", 0.98), { atMost: 50, unit: "ms" }),
  ]);
}

export const search: Row = {
  name: "search",
  title: "Search: keystroke to painted result",
  method: `Chromium, not slowed. Words are typed letter by letter, each key held until its result is painted. A keystroke counts when it changes the ${ON_SCREEN} cards on the screen. At ${shown(REMOTE_SIZE)} articles the line takes ${ROUND_TRIP_MS} ms there and back. Rare letters: the server's answer alone.`,
  async measure(bench) {
    const figures: Figure[] = [];
    for (const size of SIZES) figures.push(judge(size, await typeWords(bench, size)));
    const { url } = await bench.site(REMOTE_SIZE);
    const times: number[] = [];
    for (const text of RARE_LETTERS) {
      const begun = performance.now();
      await getPage(`${url}/lists/articles?q=${encodeURIComponent(text)}`);
      times.push(performance.now() - begun);
    }
    const goal = { atMost: 1_000, unit: "ms" };
    return [
      ...figures,
      figure(`${shown(REMOTE_SIZE)} articles, rare letters, the slowest`, Math.max(...times), goal),
    ];
  },
};
