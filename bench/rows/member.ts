import type { CDPSession, Page } from "@playwright/test";
import { SESSION_KEY } from "../../tests/support/members.ts";
import { SLOW, visit } from "../browser.ts";
import { type Figure, figure, median, together } from "../figures.ts";
import type { Row } from "../row.ts";

const SIZE = 600;
const TURNS = 5;

interface Seen {
  ms: number;
  /** Kilobytes on the line, headers included. */
  sent: number;
}

async function withBytes(page: Page, devTools: CDPSession, act: () => Promise<number>): Promise<Seen> {
  let bytes = 0;
  const count = ({ encodedDataLength }: { encodedDataLength: number }) => {
    bytes += encodedDataLength;
  };
  devTools.on("Network.loadingFinished", count);
  const ms = await act();
  await page.waitForLoadState("networkidle");
  devTools.off("Network.loadingFinished", count);
  return { ms, sent: bytes / 1000 };
}

/** Milliseconds until form and edit buttons can be used. */
async function reload(page: Page): Promise<number> {
  await page.reload({ waitUntil: "commit" });
  return page.evaluate(async () => {
    const isThere = () =>
      document.querySelector("form textarea:enabled") && document.querySelector("[data-edit]");
    while (!isThere()) await new Promise((resolve) => requestAnimationFrame(resolve));
    return performance.now();
  });
}

async function startEditing(page: Page, title: string): Promise<void> {
  await page.locator("article [data-edit]").first().click();
  await page.getByRole("button", { name: "Update Article" }).waitFor();
  await page.getByLabel("Title").fill(title);
  await page.waitForTimeout(1_000);
}

/** Milliseconds until the list shows the new title. */
function save(page: Page, title: string): Promise<number> {
  return page.evaluate(async (wanted) => {
    const begun = performance.now();
    document.querySelector<HTMLElement>("form button[type=submit]")?.click();
    const isSeen = () => document.querySelector("article h2")?.textContent === wanted;
    while (!isSeen()) await new Promise((resolve) => requestAnimationFrame(resolve));
    return performance.now() - begun;
  }, title);
}

function judge(subject: string, seen: Seen[], limits: Seen): Figure {
  const middle = (of: keyof Seen) => median(seen.map((each) => each[of]));
  return together(subject, [
    figure("sent", middle("sent"), { atMost: limits.sent, unit: "kB", decimals: 1 }),
    figure("after", middle("ms"), { atMost: limits.ms, unit: "ms" }),
  ]);
}

export const member: Row = {
  name: "member",
  title: "A member on a slow line",
  method: `Chromium, 150 ms there and back, 1.6 Mbit/s, a processor four times as slow; medians of ${TURNS} at ${SIZE} articles, unchanged since the last visit.`,
  async measure(bench) {
    const { url, session } = await bench.site(SIZE);
    const work = async (page: Page, devTools: CDPSession) => {
      const stored = [SESSION_KEY, JSON.stringify(session)] as const;
      await page.addInitScript(([key, value]) => localStorage.setItem(key, value), stored);
      await page.goto(`${url}/articles`);
      await page.locator("article [data-edit]").first().waitFor();
      const reloads: Seen[] = [];
      const saves: Seen[] = [];
      for (let turn = 0; turn < TURNS; turn++)
        reloads.push(await withBytes(page, devTools, () => reload(page)));
      for (let turn = 0; turn < TURNS; turn++) {
        await startEditing(page, `Saved ${turn}`);
        saves.push(await withBytes(page, devTools, () => save(page, `Saved ${turn}`)));
      }
      return [
        judge("reload until form and edit buttons stand", reloads, { ms: 1_500, sent: 60 }),
        judge("save until it is seen", saves, { ms: 700, sent: 15 }),
      ];
    };
    return visit(await bench.browser(), work, SLOW);
  },
};
