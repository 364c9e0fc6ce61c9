import { defineConfig } from "vitest/config";
import { chooseTemporaryFolder } from "./tests/support/temporary-folder.ts";

process.env["TMPDIR"] = chooseTemporaryFolder();

export default defineConfig({
  test: {
    include: [
      "{app,server,scripts}/**/*.test.{ts,tsx}",
      "tests/{access,drills,operation,parity}/**/*.test.ts",
    ],
    globalSetup: "tests/support/cluster.ts",
    // Needs the Supabase CLI, which `npm run parity` fetches.
    exclude: process.env["SUPABASE_CLI"] ? [] : ["tests/parity/cli.test.ts"],
    environment: "node",
    // Files that start a PostgreSQL or a whole server of their own; two of them at once fill a small machine.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The address of an image is emptied where its scheme is refused (specification §2), which React points out.
    onConsoleLog: (line) => !line.startsWith('An empty string ("") was passed to the src attribute'),
  },
});
