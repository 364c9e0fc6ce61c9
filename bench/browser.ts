import { type Browser, type CDPSession, chromium, type Page } from "@playwright/test";
import { ANDROID_FONTS, BROWSER_FLAGS, installedBrowser } from "../tests/support/browser.ts";

const PHONE = { viewport: { width: 412, height: 823 }, timezoneId: "UTC" };
/** `latency` is the round trip in milliseconds. */
const UNTHROTTLED = { latency: 0, bytesPerSecond: -1, cpuSlowdown: 1 };
/** A cheap phone on a slow connection (1.6 Mbit/s). */
export const SLOW = { latency: 150, bytesPerSecond: 200_000, cpuSlowdown: 4 };

/** Launches a browser with the fonts of an Android phone instead of this machine's fonts. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = installedBrowser();
  return chromium.launch({
    ...(executablePath && { executablePath }),
    args: BROWSER_FLAGS,
    env: ANDROID_FONTS,
  });
}

export async function visit<T>(
  browser: Browser,
  work: (page: Page, devTools: CDPSession) => Promise<T>,
  conditions: Partial<typeof SLOW> = {},
): Promise<T> {
  const { latency, bytesPerSecond, cpuSlowdown } = { ...UNTHROTTLED, ...conditions };
  await using context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  const throughput = { downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond };
  await devTools.send("Network.enable");
  await devTools.send("Network.emulateNetworkConditions", { offline: false, latency, ...throughput });
  await devTools.send("Emulation.setCPUThrottlingRate", { rate: cpuSlowdown });
  return await work(page, devTools);
}
