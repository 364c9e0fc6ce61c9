import type { CDPSession, Page } from "@playwright/test";
import { SESSION_KEY } from "../../tests/support/members.ts";
import { launchBrowser, SLOW, visit } from "../browser.ts";
import { type Benchmark, combine, figure, median } from "../figures.ts";
import { siteOf } from "../site.ts";

const SIZE = 600;
const TURNS = 5;

/** Reloads the page. Returns the milliseconds until the member can use the form and the edit buttons. */
async function reload(page: Page): Promise<number> {
  await page.reload({ waitUntil: "commit" });
  return page.evaluate(async () => {
    const isReady = () =>
      document.querySelector("body:has(form textarea:enabled) button[aria-label^='Edit ']");
    while (!isReady()) await new Promise((resolve) => requestAnimationFrame(resolve));
    return performance.now();
  });
}

async function startEditing(page: Page, title: string): Promise<void> {
  await page.locator("article button[aria-label^='Edit ']").first().click();
  await page.getByRole("button", { name: "Update Article" }).waitFor();
  await page.getByLabel("Title").fill(title);
  await page.waitForTimeout(1_000);
}

/** Submits the open form. Returns the milliseconds until the first card of the list shows the new title. */
function save(page: Page, title: string): Promise<number> {
  return page.evaluate(async (wanted) => {
    const start = performance.now();
    document.querySelector<HTMLElement>("form:has(textarea) button[type=submit]")?.click();
    const isShown = () => document.querySelector("article h2")?.textContent === wanted;
    while (!isShown()) await new Promise((resolve) => requestAnimationFrame(resolve));
    return performance.now() - start;
  }, title);
}

export const member: Benchmark = {
  title: "A member on a slow connection",
  method: `Measured in Chromium with a round trip of 150 ms, 1.6 Mbit/s and a CPU slowed down four times. The values are medians of ${TURNS} runs on a site with ${SIZE} articles. Before the reload, nothing has changed since the last visit. The bytes received include headers.`,
  async measure() {
    await using browser = await launchBrowser();
    const { url, session } = await siteOf(SIZE);
    const work = async (page: Page, devTools: CDPSession) => {
      const stored = [SESSION_KEY, JSON.stringify(session)] as const;
      await page.addInitScript(([key, value]) => localStorage.setItem(key, value), stored);
      await page.goto(`${url}/articles`);
      await page.locator("article button[aria-label^='Edit ']").first().waitFor();
      let bytes = 0;
      devTools.on("Network.loadingFinished", ({ encodedDataLength }) => {
        bytes += encodedDataLength;
      });
      const write = async (page: Page, turn: number) => {
        await startEditing(page, `Saved ${turn}`);
        bytes = 0;
        return save(page, `Saved ${turn}`);
      };
      const judge = async (subject: string, action: typeof write, most: { ms: number; kB: number }) => {
        const [times, sizes]: [number[], number[]] = [[], []];
        for (let turn = 0; turn < TURNS; turn++) {
          bytes = 0;
          times.push(await action(page, turn));
          // The page reads the list again, and shows the text as the server has formatted it.
          await page.waitForTimeout(1_500);
          sizes.push(bytes / 1000);
        }
        return combine(subject, [
          figure("received", median(sizes), { atMost: most.kB, unit: "kB", decimals: 1 }),
          figure("time", median(times), { atMost: most.ms, unit: "ms" }),
        ]);
      };
      return [
        await judge("reload until the form and edit buttons work", reload, { ms: 1_000, kB: 60 }),
        await judge("save until the list shows it", write, { ms: 700, kB: 15 }),
      ];
    };
    return await visit(browser, work, SLOW);
  },
};
