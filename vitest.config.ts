import { defineConfig } from "vitest/config";
import { chooseTemporaryFolder } from "./tests/support/temporary-folder.ts";

process.env["TMPDIR"] = chooseTemporaryFolder();

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        // Loading the same modules again for each file took more processor than the tests.
        test: { name: "unit", include: ["{app,server,scripts}/**/*.test.{ts,tsx}"], isolate: false },
      },
      {
        extends: true,
        test: {
          name: "site",
          include: ["tests/{access,operation,parity}/**/*.test.ts"],
          setupFiles: "tests/support/short-connections.ts",
        },
      },
      {
        extends: true,
        // They take all of a small machine: they come when the others have ended.
        test: {
          name: "drills",
          include: ["tests/drills/**/*.test.ts"],
          setupFiles: "tests/support/short-connections.ts",
          sequence: { groupOrder: 1 },
        },
      },
    ],
    globalSetup: "tests/support/cluster.ts",
    // Needs the Supabase CLI, which `npm run parity` fetches.
    exclude: process.env["SUPABASE_CLI"] ? [] : ["tests/parity/cli.test.ts"],
    environment: "node",
    // Files that start a PostgreSQL or a whole server of their own; two of them at once fill a small machine.
    maxWorkers: 2,
    // A busy machine may take seconds over what takes none.
    expect: { poll: { timeout: 10_000 } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The address of an image is emptied where its scheme is refused (specification §2), which React points out.
    onConsoleLog: (line) => !line.startsWith('An empty string ("") was passed to the src attribute'),
  },
});
