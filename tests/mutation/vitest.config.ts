import { defineConfig } from "vitest/config";

/** The unit tests alone: a planted fault is tested hundreds of times, so no test may start a database. */
export default defineConfig({
  test: {
    include: ["{app,common,server}/**/*.test.{ts,tsx}"],
    environment: "node",
    // Stryker ends a test that a fault keeps from finishing. The first run, without faults, needs the time of the usual runs.
    testTimeout: 60_000,
    onConsoleLog: () => false,
  },
});
