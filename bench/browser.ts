import { type Browser, type CDPSession, chromium, type Page } from "@playwright/test";
import { BROWSER_FLAGS, installedBrowser } from "../tests/support/browser.ts";

export interface Conditions {
  /** Milliseconds there and back. */
  latency: number;
  bitsPerSecond?: number;
  cpuSlowdown?: number;
}

/** A cheap phone on a slow line. */
export const SLOW: Conditions = { latency: 150, bitsPerSecond: 1_600_000, cpuSlowdown: 4 };
const UNSLOWED: Conditions = { latency: 0 };

export function launchBrowser(): Promise<Browser> {
  const executablePath = installedBrowser();
  return chromium.launch({ ...(executablePath && { executablePath }), args: BROWSER_FLAGS });
}

export async function visit<T>(
  browser: Browser,
  work: (page: Page, devTools: CDPSession) => Promise<T>,
  { latency, bitsPerSecond, cpuSlowdown = 1 }: Conditions = UNSLOWED,
): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 }, timezoneId: "UTC" });
  try {
    const page = await context.newPage();
    const devTools = await context.newCDPSession(page);
    const throughput = bitsPerSecond ? bitsPerSecond / 8 : -1;
    await devTools.send("Network.enable");
    await devTools.send("Network.emulateNetworkConditions", {
      offline: false,
      latency,
      downloadThroughput: throughput,
      uploadThroughput: throughput,
    });
    await devTools.send("Emulation.setCPUThrottlingRate", { rate: cpuSlowdown });
    return await work(page, devTools);
  } finally {
    await context.close();
  }
}
