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

/** Runs `work` and parses the results file that it writes. */
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

/** Errors at every statement of every migration, and a database from before the first migration. */
export const migrations: Drill = {
  name: "migrations",
  title: "migrations",
  run: async () => [
    tests(
      "each migration applies completely or not at all, and a database from before the first one is refused",
      ["tests/operation/broken-migrations.test.ts", "tests/operation/migrate.test.ts"],
    ),
  ],
};

/** Hostile member content in a real browser, and the console of every page. */
export const hostileContent: Drill = {
  name: "hostile-content",
  title: "hostile content in a real browser, and the policy on every page",
  run: async () => [
    tests("hostile Markdown, addresses and code: nothing executable is rendered", ["app/ui"]),
    journeys(
      "hostile content never executes, before or after hydration; harmless content works; 0 policy violations",
      ["tests/journeys/visitor/hostile-content.spec.ts"],
    ),
  ],
};

/** Known vulnerabilities of the locked versions, according to the npm registry. */
export const dependencies: Drill = {
  name: "dependencies",
  title: "known advisories",
  run: async () => {
    const goal = "no advisory of high severity for the locked versions";
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
