import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { ensureTestBrowser } from "./browser.mjs";
import { build, ensureInstalled, findNode, root, run } from "./ensure.mjs";

await ensureInstalled({ development: true });
const node = findNode();
const browser = ensureTestBrowser(node);
const results = path.join(root, "test-results");
const unitResults = path.join(results, "vitest.json");
const journeyResults = path.join(results, "playwright.json");
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

const LINES_OF_REASON = 12;
const MINUTES = 10;
const failures = [];
const failedTests = [];
let passed = 0;
let failed = 0;

const checks = [
  ["format and lint", "@biomejs/biome", "biome", ["check", "--error-on-warnings"]],
  ["route types", "@react-router/dev", "react-router", ["typegen"]],
  ["types", "typescript", "tsc", ["--noEmit", "--project", "."]],
  ["unused code and dependencies", "knip", "knip", ["--no-config-hints"]],
];
const patterns = process.argv.slice(2);
const start = Date.now();
if (patterns.length === 0) {
  console.log(
    `This takes about ${MINUTES} minutes on 2 cores. To run only some test files: npm test -- PATTERN`,
  );
  for (const each of checks) check(...each);
}

heading("build");
if (!build(node)) failures.push("build");
const only = patterns.length > 0 ? [...patterns, "--pass-with-no-tests"] : [];
check(
  "Vitest tests (unit, access, operation, drills and parity)",
  "vitest",
  "vitest",
  ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${unitResults}`, ...only],
  { NODE_ENV: "test" },
);
countUnit(unitResults);
check("Playwright journeys", "@playwright/test", "playwright", ["test", "--reporter=list,json", ...only], {
  CHROME_PATH: browser,
  PLAYWRIGHT_JSON_OUTPUT_NAME: journeyResults,
});
countJourneys(journeyResults);

if (failures.length > 0) console.log(`\nFailed: ${failures.join(", ")}`);
for (const { name, reason } of failedTests) console.log(`\n✗ ${name}\n  ${reason}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failures.length > 0 || failed > 0 || passed === 0 ? 1 : 0);

function heading(name) {
  console.log(`\n── ${name}, after ${Math.round((Date.now() - start) / 1000)} s`);
}

function check(name, packageName, command, args, env) {
  heading(name);
  if (run(node, packageName, command, args, env).status !== 0) failures.push(name);
}

function countUnit(file) {
  if (!existsSync(file)) return;
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(file, "utf8"));
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((each) => each.status === "failed"),
  );
  passed += numPassedTests;
  failed += numFailedTests + broken.length;
  for (const { name: file, message, assertionResults } of testResults) {
    if (broken.some(({ name }) => name === file)) noteFailure(path.relative(root, file), message);
    for (const { status, fullName, failureMessages } of assertionResults) {
      if (status === "failed") noteFailure(`${path.relative(root, file)} › ${fullName}`, failureMessages[0]);
    }
  }
}

/** A test that passed only on a retry counts as failed. */
function countJourneys(file) {
  if (!existsSync(file)) return;
  const { stats, errors, suites } = JSON.parse(readFileSync(file, "utf8"));
  passed += stats.expected;
  failed += stats.unexpected + stats.flaky + errors.length;
  for (const { message } of errors) noteFailure("journeys", message);
  for (const suite of suites) noteFailedJourneys(suite, []);
}

function noteFailedJourneys({ title, suites = [], specs = [] }, above) {
  const names = [...above, title];
  for (const suite of suites) noteFailedJourneys(suite, names);
  for (const { ok, title: spec, tests } of specs) {
    if (!ok) noteFailure([...names, spec].join(" › "), tests[0].results.at(-1)?.error?.message);
  }
}

function noteFailure(name, reason = "The report gives no reason.") {
  const lines = stripVTControlCharacters(reason).trim().split("\n").slice(0, LINES_OF_REASON);
  failedTests.push({ name, reason: lines.join("\n  ") });
}
