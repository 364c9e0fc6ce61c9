import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import { BROWSER_FLAGS, installedBrowser } from "../tests/support/browser.ts";

/** A cheap phone on a slow line: 150 ms there and back, 1.6 Mbit/s, a processor four times as slow. */
export const SLOW: Conditions = { latency: 150, bitsPerSecond: 1_600_000, cpuSlowdown: 4 };

/** How a page is held back; nothing means not at all. */
export interface Conditions {
  /** Milliseconds there and back. */
  latency?: number;
  bitsPerSecond?: number;
  cpuSlowdown?: number;
}

/** Starts Chromium: the installed one, else Playwright's own. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = installedBrowser();
  return chromium.launch({ ...(executablePath && { executablePath }), args: BROWSER_FLAGS });
}

/** A new visitor, who has nothing in the cache. */
export async function visit<T>(
  browser: Browser,
  conditions: Conditions,
  work: (page: Page, context: BrowserContext) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 }, timezoneId: "UTC" });
  try {
    const page = await context.newPage();
    await hold(page, conditions);
    return await work(page, context);
  } finally {
    await context.close();
  }
}

async function hold(page: Page, { latency = 0, bitsPerSecond, cpuSlowdown }: Conditions): Promise<void> {
  const session = await page.context().newCDPSession(page);
  if (latency || bitsPerSecond) {
    const bytes = bitsPerSecond ? bitsPerSecond / 8 : -1;
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency,
      downloadThroughput: bytes,
      uploadThroughput: bytes,
    });
  }
  if (cpuSlowdown) await session.send("Emulation.setCPUThrottlingRate", { rate: cpuSlowdown });
}

/** What a browser tells of a page's beginning. */
export interface Beginning {
  /** Largest contentful paint, milliseconds after the navigation began. */
  paint: number;
  /** Cumulative layout shift. */
  shift: number;
  /** Total blocking time: what tasks took beyond 50 ms each. */
  blocked: number;
}

/** How the visit began, once the page has been quiet for half a second. */
export async function openAndObserve(page: Page, url: string): Promise<Beginning> {
  await page.goto(url, { waitUntil: "load" });
  return page.evaluate(async () => {
    const entries = new Map<string, PerformanceEntry[]>();
    for (const type of ["largest-contentful-paint", "layout-shift", "longtask"]) {
      const seen: PerformanceEntry[] = [];
      entries.set(type, seen);
      new PerformanceObserver((list) => seen.push(...list.getEntries())).observe({ type, buffered: true });
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
    const sum = (type: string, of: (entry: PerformanceEntry) => number) =>
      (entries.get(type) ?? []).reduce((total, entry) => total + of(entry), 0);
    return {
      paint: entries.get("largest-contentful-paint")?.at(-1)?.startTime ?? Number.NaN,
      shift: sum("layout-shift", (entry) => (entry as PerformanceEntry & { value: number }).value),
      blocked: sum("longtask", ({ duration }) => Math.max(0, duration - 50)),
    };
  });
}

/** The first sign of intent that changes nothing; resolves when the application stands. */
export async function startApplication(page: Page): Promise<void> {
  await page.keyboard.press("Shift");
  await page.locator("html[data-ready]").waitFor();
}
