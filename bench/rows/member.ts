import type { CDPSession, Page } from "@playwright/test";
import { SESSION_KEY } from "../../tests/support/members.ts";
import { SLOW, visit } from "../browser.ts";
import { atMost, type Goal, median, type Outcome, shown } from "../outcome.ts";
import type { MeasuredSite } from "../site.ts";

const SIZE = 600;
const TURNS = 5;

interface Seen {
  /** Until the member sees what they wait for. */
  ms: number;
  bytes: number;
}

function sessionOf({ member }: MeasuredSite): string {
  return JSON.stringify({
    access_token: member.token,
    refresh_token: "none",
    token_type: "bearer",
    expires_in: 28_800,
    expires_at: Math.floor(Date.now() / 1000) + 28_800,
    user: { id: member.id, aud: "authenticated", role: "authenticated", email: "member@example.com" },
  });
}

/** Counts what the line carries from now on, headers included. */
function countBytes(session: CDPSession): () => number {
  let bytes = 0;
  const count = ({ encodedDataLength }: { encodedDataLength: number }) => {
    bytes += encodedDataLength;
  };
  session.on("Network.loadingFinished", count);
  return () => {
    session.off("Network.loadingFinished", count);
    return bytes;
  };
}

async function reload(page: Page, session: CDPSession): Promise<Seen> {
  const bytes = countBytes(session);
  await page.reload({ waitUntil: "commit" });
  const ms = await page.evaluate(async () => {
    const isThere = () =>
      document.querySelector("form textarea:enabled") && document.querySelector("article [data-edit]");
    while (!isThere()) await new Promise((resolve) => requestAnimationFrame(resolve));
    return performance.now();
  });
  await page.waitForLoadState("networkidle");
  return { ms, bytes: bytes() };
}

async function save(page: Page, session: CDPSession, title: string): Promise<Seen> {
  await page.locator("article [data-edit]").first().click();
  await page.getByRole("button", { name: "Update Article" }).waitFor();
  await page.getByLabel("Title").fill(title);
  await page.waitForTimeout(1_000);
  const bytes = countBytes(session);
  const ms = await page.evaluate(async (wanted) => {
    const begun = performance.now();
    document.querySelector<HTMLElement>("form button[type=submit]")?.click();
    const isSeen = () => document.querySelector("article h2")?.textContent === wanted;
    while (!isSeen()) await new Promise((resolve) => requestAnimationFrame(resolve));
    return performance.now() - begun;
  }, title);
  await page.waitForLoadState("networkidle");
  return { ms, bytes: bytes() };
}

function judge(subject: string, seen: Seen[], limits: Seen): Outcome {
  const ms = median(seen.map((each) => each.ms));
  const bytes = median(seen.map((each) => each.bytes));
  return {
    subject,
    asked: `≤ ${shown(limits.bytes / 1000)} kB, within ${shown(limits.ms)} ms`,
    measured: `${shown(bytes / 1000, 1)} kB, ${shown(ms)} ms`,
    isReached: atMost(limits.ms, ms) && atMost(limits.bytes, bytes),
  };
}

export const member: Goal = {
  name: "member",
  title: "A member on a slow line",
  method: `Chromium, 150 ms there and back, 1.6 Mbit/s, processor slowed four times; medians of ${TURNS} turns at ${SIZE} articles, unchanged since the last visit, with everything that the line carries.`,
  async measure(bench) {
    const site = await bench.site(SIZE);
    return visit(await bench.browser(), SLOW, async (page, context) => {
      await context.addInitScript(([key, session]) => localStorage.setItem(key, session), [
        SESSION_KEY,
        sessionOf(site),
      ] as const);
      const session = await context.newCDPSession(page);
      await session.send("Network.enable");
      await page.goto(`${site.url}/articles`);
      await page.locator("article [data-edit]").first().waitFor();
      const reloads: Seen[] = [];
      const saves: Seen[] = [];
      for (let turn = 0; turn < TURNS; turn++) reloads.push(await reload(page, session));
      for (let turn = 0; turn < TURNS; turn++) saves.push(await save(page, session, `Saved ${turn}`));
      return [
        judge("reload until form and edit buttons stand", reloads, { ms: 1_500, bytes: 60_000 }),
        judge("save until it is seen", saves, { ms: 700, bytes: 15_000 }),
      ];
    });
  },
};
