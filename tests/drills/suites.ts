import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Drill, Figure } from "./figure.ts";

const root = path.resolve(import.meta.dirname, "../..");

function runProgram(program: string, args: string[], env: Record<string, string>): void {
  const file = path.join(root, "node_modules", program);
  spawnSync(process.execPath, [file, ...args], { cwd: root, env: { ...process.env, ...env } });
}

/** Runs `work` with the path of a new file, and parses the JSON that `work` writes to it. */
function resultsOf<T>(work: (file: string) => void): T {
  const folder = mkdtempSync(path.join(tmpdir(), "techfolio-drill-"));
  try {
    const file = path.join(folder, "results.json");
    work(file);
    return JSON.parse(readFileSync(file, "utf8")) as T;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function figure(goal: string, passed: number, failed: number): Figure {
  return { goal, measured: `${passed} passed, ${failed} failed`, ok: passed > 0 && failed === 0 };
}

function tests(goal: string, files: string[]): Figure {
  const results = resultsOf<{ numPassedTests: number; numFailedTests: number; success: boolean }>((file) => {
    const options = ["run", "--reporter=json", `--outputFile.json=${file}`];
    runProgram("vitest/vitest.mjs", [...options, ...files], { NODE_ENV: "test" });
  });
  const { numPassedTests, numFailedTests, success } = results;
  return figure(goal, numPassedTests, Math.max(numFailedTests, Number(!success)));
}

function journeys(goal: string, files: string[]): Figure {
  const { stats, errors } = resultsOf<{
    stats: { expected: number; unexpected: number; flaky: number };
    errors: unknown[];
  }>((file) => {
    const args = ["test", "--reporter=json", ...files];
    runProgram("@playwright/test/cli.js", args, { PLAYWRIGHT_JSON_OUTPUT_NAME: file });
  });
  return figure(goal, stats.expected, stats.unexpected + stats.flaky + errors.length);
}

/** Runs the migration tests. In some, a migration fails at each of its statements in turn, or a database is too old. */
export const migrations: Drill = {
  name: "migrations",
  title: "a migration that fails leaves nothing behind",
  run: async () => [
    tests(
      "each migration applies completely or not at all, and a database from before the first migration is rejected",
      ["tests/operation/broken-migrations.test.ts", "tests/operation/migrate.test.ts"],
    ),
  ],
};

/** Renders hostile content, such as a member could save, in unit tests and in a real browser. */
export const hostileContent: Drill = {
  name: "hostile-content",
  title: "hostile content runs nothing in a real browser",
  run: async () => [
    tests("hostile Markdown, addresses and code: nothing executable is rendered", [
      "common/markdown/hostile.test.ts",
      "common/safe-address.test.ts",
      "server/rendering/renderer.test.ts",
    ]),
    journeys(
      "hostile content never executes, before or after hydration; harmless content works; 0 policy violations",
      ["tests/journeys/visitor/hostile-content.spec.ts"],
    ),
  ],
};

/** Asks the npm registry for known vulnerabilities of the package versions in package-lock.json. */
export const dependencies: Drill = {
  name: "dependencies",
  title: "the locked versions have no known vulnerability of high or critical severity",
  run: async () => {
    const goal = "no advisory of high or critical severity for the locked versions";
    const { stdout } = spawnSync("npm", ["audit", "--json", "--audit-level=high"], {
      cwd: root,
      encoding: "utf8",
    });
    const report = JSON.parse(stdout || "{}") as {
      metadata?: { vulnerabilities: Record<string, number> };
      message?: string;
    };
    if (!report.metadata) {
      return [
        { goal, measured: `the registry did not report: ${report.message ?? "no response"}`, ok: false },
      ];
    }
    const { high = 0, critical = 0, total = 0 } = report.metadata.vulnerabilities;
    return [{ goal, measured: `${high + critical} of ${total} advisories`, ok: high + critical === 0 }];
  },
};
