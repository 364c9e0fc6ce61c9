import { defineConfig } from "vitest/config";

/** The unit tests alone: a planted fault is tested hundreds of times, so no test may start a database. */
export default defineConfig({
  test: {
    include: ["{app,common,server}/**/*.test.{ts,tsx}"],
    environment: "node",
    onConsoleLog: () => false,
  },
});
