import { defineConfig } from "@playwright/test";
import { BROWSER_FLAGS, installedBrowser } from "./tests/support/browser.ts";
import { chooseTemporaryFolder } from "./tests/support/temporary-folder.ts";

process.env["TMPDIR"] = chooseTemporaryFolder();

const executablePath = installedBrowser();

export default defineConfig({
  testDir: "tests/journeys",
  globalSetup: "tests/support/cluster.ts",
  outputDir: "test-results/journeys",
  fullyParallel: true,
  // Each worker starts a browser, a server and PostgreSQL. Three of them use all of a machine's two cores, because each
  // also waits for its pages.
  workers: 3,
  retries: 0,
  forbidOnly: true,
  reporter: "line",
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {
    browserName: "chromium",
    viewport: { width: 1280, height: 900 },
    timezoneId: "UTC",
    screenshot: "only-on-failure",
    launchOptions: { ...(executablePath && { executablePath }), args: BROWSER_FLAGS },
  },
});
