import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "{app,server,scripts}/**/*.test.{ts,tsx}",
      "tests/{access,drills,operation,parity}/**/*.test.ts",
    ],
    environment: "node",
    // Files that start a PostgreSQL or a whole server of their own; two of them at once fill a small machine.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
