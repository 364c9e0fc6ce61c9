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

/** What is in the file of results after the work. */
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

function figure(asked: string, passed: number, failed: number): Figure {
  return { asked, measured: `${passed} passed, ${failed} failed`, ok: passed > 0 && failed === 0 };
}

function tests(asked: string, files: string[]): Figure {
  const results = resultsOf<{ numPassedTests: number; numFailedTests: number; success: boolean }>((file) => {
    const options = ["run", "--reporter=json", `--outputFile.json=${file}`];
    runProgram("vitest/vitest.mjs", [...options, ...files], { NODE_ENV: "test" });
  });
  const { numPassedTests, numFailedTests, success } = results;
  return figure(asked, numPassedTests, Math.max(numFailedTests, Number(!success)));
}

function journeys(asked: string, files: string[]): Figure {
  const { stats, errors } = resultsOf<{
    stats: { expected: number; unexpected: number; flaky: number };
    errors: unknown[];
  }>((file) => {
    const args = ["test", "--reporter=json", ...files];
    runProgram("@playwright/test/cli.js", args, { PLAYWRIGHT_JSON_OUTPUT_NAME: file });
  });
  return figure(asked, stats.expected, stats.unexpected + stats.flaky + errors.length);
}

/** Faults at every statement of every migration, and a database of the first release. */
export const migrations: Drill = {
  name: "migrations",
  title: "migrations",
  run: async () => [
    tests("each applies whole or not at all, and a database of the first release upgrades", [
      "tests/operation/broken-migrations.test.ts",
      "tests/operation/migrate.test.ts",
    ]),
  ],
};

/** What members may fill with anything, shown in a real browser; and the console of every page. */
export const hostileContent: Drill = {
  name: "hostile-content",
  title: "hostile content in a real browser, and the policy on every page",
  run: async () => [
    tests("hostile Markdown, addresses and code: nothing executable is rendered", ["app/ui"]),
    journeys("0 executions in the server's HTML and after hydration, 0 blocked harmless ones, 0 violations", [
      "tests/journeys/visitor/hostile-content.spec.ts",
    ]),
  ],
};

/** What the registry knows of the versions that are locked. */
export const dependencies: Drill = {
  name: "dependencies",
  title: "known advisories",
  run: async () => {
    const asked = "no known high advisory at the versions that are locked";
    const { stdout } = spawnSync("npm", ["audit", "--json", "--audit-level=high"], {
      cwd: root,
      encoding: "utf8",
    });
    const answer = JSON.parse(stdout || "{}") as {
      metadata?: { vulnerabilities: Record<string, number> };
      message?: string;
    };
    if (!answer.metadata) {
      return [{ asked, measured: `the registry does not say: ${answer.message ?? "no answer"}`, ok: false }];
    }
    const { high = 0, critical = 0, total = 0 } = answer.metadata.vulnerabilities;
    return [{ asked, measured: `${high + critical} of ${total} advisories`, ok: high + critical === 0 }];
  },
};
