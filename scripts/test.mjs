// Runs every check and test, the tests that match a pattern, or those that a change can break.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { stripVTControlCharacters } from "node:util";
import { ensureTestBrowser } from "./browser.mjs";
import { build, ensureInstalled, executable, fail, findNode, root } from "./ensure.mjs";
import { changedFiles, relatedTests, widelyUsed } from "./related-tests.mjs";
import { duration, runProgram, showProgress } from "./step.mjs";

const LINES_OF_REASON = 12;
/** Measured on a fresh clone. */
const MINUTES = 10;
const results = path.join(root, "test-results");
/** The database templates that Vitest and Playwright share (tests/support/cluster.ts). */
const clusters = path.join(results, "clusters");

const checks = [
  {
    name: "format and lint",
    command: ["@biomejs/biome", "biome", "check", "--error-on-warnings", "--colors=off"],
    needsRouteTypes: false,
    remedy: "npx biome check --write . corrects most of these problems.",
  },
  {
    name: "types",
    // Several threads check some types twice, and the build needs the other core.
    command: ["typescript", "tsc", "--noEmit", "--pretty", "false", "--project", ".", "--singleThreaded"],
    needsRouteTypes: true,
    remedy: "Correct the types.",
  },
  {
    name: "unused code and dependencies",
    command: ["knip", "knip", "--no-config-hints"],
    needsRouteTypes: true,
    remedy: "Remove what is unused, or list it in knip.jsonc with the reason.",
  },
];

const start = Date.now();
const failures = [];
const durations = new Map();
let passed = 0;

const [option, ...rest] = process.argv.slice(2);
const isForChange = option === "--changed";
if (option?.startsWith("-") && !isForChange)
  fail("Usage: npm test, npm test -- PATTERN… or npm test -- --changed [COMMIT]");
const patterns = isForChange || option === undefined ? [] : [option, ...rest];

await ensureInstalled();
const node = findNode();
const browser = await ensureTestBrowser(node);
rmSync(results, { recursive: true, force: true });
mkdirSync(clusters, { recursive: true });

if (isForChange) await testChange(rest[0] ?? "HEAD");
else if (patterns.length > 0) await testSite(patterns);
else await testEverything();
report();

async function testEverything() {
  console.log(
    `All checks and tests take about ${MINUTES} minutes on 2 cores. While you work: npm test -- --changed`,
  );
  // The build and the longest check use one core each.
  await Promise.all([runChecks(), build(node)]);
  await testSite([]);
}

async function testChange(reference) {
  const files = changedFiles(reference);
  if (files.length === 0)
    fail(`Nothing differs from ${reference}: name an earlier commit, as in npm test -- --changed main.`);
  const tests = relatedTests(files);
  if (tests === undefined) {
    console.log(`These files can affect every test: ${widelyUsed(files).join(", ")}.`);
    return (await confirm(`Run all tests, which takes about ${MINUTES} minutes?`))
      ? testEverything()
      : undefined;
  }
  await runChecks();
  const folders = ["app/", "common/", "server/", "scripts/"];
  await vitest("Unit tests of the change", [...folders, `--changed=${reference}`, "--passWithNoTests"]);
  const journeys = tests.filter((file) => file.startsWith("tests/journeys/"));
  const others = tests.filter((file) => !journeys.includes(file));
  if (tests.length > 0) await build(node);
  if (others.length > 0) await vitest("Tests of the backend and of operation", others);
  if (journeys.length > 0) await playwright(journeys);
}

/** Asks on a terminal. Elsewhere, the answer is yes. */
async function confirm(question) {
  if (!process.stdin.isTTY) return true;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`${question} [y/N] `);
  terminal.close();
  return /^y/i.test(answer);
}

async function testSite(patterns) {
  await build(node);
  const allowNone = patterns.length > 0 ? ["--pass-with-no-tests"] : [];
  await vitest("Vitest tests (unit, access, operation, drills, parity)", [...patterns, ...allowNone]);
  await playwright([...patterns, ...allowNone]);
}

async function runChecks() {
  const progress = showProgress("Format, types and unused code", process.stdout);
  const args = [executable("@react-router/dev", "react-router"), "typegen"];
  const routeTypes = runProgram({ program: node, args });
  const outcomes = await Promise.all(
    checks.map(async ({ name, command: [packageName, command, ...args], needsRouteTypes, remedy }) => {
      if (needsRouteTypes) await routeTypes;
      const { isSuccessful, output } = await runProgram({
        program: node,
        args: [executable(packageName, command), ...args],
      });
      writeFileSync(path.join(results, `${command}.log`), output);
      if (isSuccessful) passed += 1;
      else failures.push({ name, reason: output, remedy });
      return isSuccessful;
    }),
  );
  progress.end(outcomes.every(Boolean) ? "" : "failed");
}

function vitest(title, args) {
  const command = [executable("vitest", "vitest"), "run", "--reporter=./tests/support/vitest-reporter.ts"];
  return runTests(title, "vitest", [...command, ...args], { NODE_ENV: "test" });
}

function playwright(args) {
  const command = [executable("@playwright/test", "playwright"), "test"];
  const reporter = "--reporter=./tests/support/playwright-reporter.ts";
  return runTests("Journeys in a browser", "playwright", [...command, reporter, ...args], {
    CHROME_PATH: browser,
  });
}

async function runTests(title, name, args, env) {
  const progress = showProgress(title, process.stdout);
  const before = { passed, failures: failures.length };
  const onLine = (line) => {
    const event = JSON.parse(line);
    if (event.type === "progress") progress.advance(event.done, event.total);
    if (event.type === "passed") passed += 1;
    if (event.type === "duration") durations.set(event.file, (durations.get(event.file) ?? 0) + event.ms);
    if (event.type === "failed") failures.push(failedTest(event));
  };
  const { isSuccessful, output } = await runProgram({
    program: node,
    args,
    env: { ...process.env, TEST_CLUSTER_FOLDER: clusters, ...env },
    onLine,
  });
  const log = path.join(results, `${name}.log`);
  writeFileSync(log, output);
  const failed = failures.length - before.failures;
  if (!isSuccessful && failed === 0) {
    const reason = output.trim().split("\n").slice(-LINES_OF_REASON).join("\n");
    failures.push({ name: title, reason, remedy: `All output is in ${path.relative(root, log)}.` });
  }
  progress.end(`${passed - before.passed} passed, ${failures.length - before.failures} failed`);
}

function failedTest({ file, line, name, reason }) {
  const place = line === undefined ? file : `${file}:${line}`;
  return { name: `${place} › ${name}`, reason, remedy: `To run this file again: npm test -- ${file}` };
}

function report() {
  rmSync(clusters, { recursive: true });
  const slowest = [...durations].sort(([, a], [, b]) => b - a);
  const lines = slowest.map(([file, ms]) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${file}\n`);
  writeFileSync(path.join(results, "durations.txt"), lines.join(""));
  for (const { name, reason, remedy } of failures) {
    const lines = stripVTControlCharacters(reason).trim().split("\n");
    const shown = lines
      .filter((line) => !/^\s+at .*(node_modules|node:)/.test(line))
      .slice(0, LINES_OF_REASON)
      .join("\n  ");
    console.log(`\n✗ ${name}\n  ${shown}\n  ${remedy}`);
  }
  if (failures.length > 0) console.log("\nLogs and pictures of failed journeys are in test-results/.");
  console.log(`\nFinished in ${duration(Date.now() - start)}.`);
  console.log(`${passed} passed, ${failures.length} failed`);
  process.exitCode = failures.length > 0 || passed === 0 ? 1 : 0;
}
