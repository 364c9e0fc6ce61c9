import { defineConfig } from "vitest/config";
import { chooseTemporaryFolder } from "./tests/support/temporary-folder.ts";

process.env["TMPDIR"] = chooseTemporaryFolder();

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        // With isolation, each file would load all modules again, which takes longer than the tests. They change nothing
        // outside their own databases and processes, so their files can share the loaded modules.
        test: {
          name: "main",
          include: [
            "{app,common,server,scripts}/**/*.test.{ts,tsx}",
            "tests/{access,operation,parity}/**/*.test.ts",
          ],
          setupFiles: [
            "tests/support/short-connections.ts",
            "tests/support/end-threads.ts",
            "tests/support/no-handles-left.ts",
          ],
          isolate: false,
        },
      },
      {
        extends: true,
        // This test adds a kind to the list of all kinds, so it needs its own modules.
        test: { name: "kind", include: ["tests/operation/new-kind.test.tsx"] },
      },
      {
        extends: true,
        // Drills use most of a small machine's CPU, so they run after the other tests. Each also waits for its load, so
        // three run at a time.
        test: {
          name: "drills",
          include: ["tests/drills/**/*.test.ts"],
          setupFiles: "tests/support/short-connections.ts",
          sequence: { groupOrder: 1, concurrent: true },
          maxConcurrency: 3,
        },
      },
    ],
    globalSetup: "tests/support/cluster.ts",
    // Tests of the migrations with the Supabase CLI run only in `npm run parity`, which installs the CLI.
    exclude: process.env["SUPABASE_CLI"] ? [] : ["tests/parity/cli.test.ts"],
    environment: "node",
    // Many files start PostgreSQL or a whole server, and wait for it. Three at a time use all of a machine's two cores.
    maxWorkers: 3,
    // On a busy machine, something that usually takes milliseconds can take seconds.
    expect: { poll: { timeout: 10_000 } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // React warns about empty image addresses, which docs/specification.txt, §2, requires for disallowed schemes.
    onConsoleLog: (line) => !line.startsWith('An empty string ("") was passed to the src attribute'),
  },
});
