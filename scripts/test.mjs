import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { ensureBrowser } from "./browser.mjs";
import { build, ensureInstalled, findNode, root, run } from "./ensure.mjs";

ensureInstalled({ development: true });
const node = findNode();
const browser = ensureBrowser(node);
const results = path.join(root, "test-results");
const unitResults = path.join(results, "vitest.json");
const journeyResults = path.join(results, "playwright.json");
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

const failures = [];
let passed = 0;
let failed = 0;

check("format, lint and import directions", "@biomejs/biome", "biome", ["check", "--error-on-warnings"]);
check("route types", "@react-router/dev", "react-router", ["typegen"]);
check("types", "typescript", "tsc", ["--noEmit", "--project", "."]);
// The tests that follow run what is shipped.
console.log("\n── build");
if (!build(node)) failures.push("build");
check(
  "unit, access and operation tests",
  "vitest",
  "vitest",
  ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${unitResults}`],
  { NODE_ENV: "test" },
);
countUnit(unitResults);
check("journeys in the browser", "@playwright/test", "playwright", ["test", "--reporter=list,json"], {
  CHROME_PATH: browser,
  PLAYWRIGHT_JSON_OUTPUT_NAME: journeyResults,
});
countJourneys(journeyResults);

if (failures.length > 0) console.log(`\nFailed: ${failures.join(", ")}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failures.length > 0 || failed > 0 || passed === 0 ? 1 : 0);

function check(name, packageName, command, args, env) {
  console.log(`\n── ${name}`);
  if (run(node, packageName, command, args, env).status !== 0) failures.push(name);
}

/** A file that fails before its first test counts as one failure. */
function countUnit(file) {
  if (!existsSync(file)) return;
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(file, "utf8"));
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((each) => each.status === "failed"),
  );
  passed += numPassedTests;
  failed += numFailedTests + broken.length;
}

/** A test that passed only when repeated is no pass. */
function countJourneys(file) {
  if (!existsSync(file)) return;
  const { stats, errors } = JSON.parse(readFileSync(file, "utf8"));
  passed += stats.expected;
  failed += stats.unexpected + stats.flaky + errors.length;
}
