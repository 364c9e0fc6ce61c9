// Runs the tests of sites with DATABASE_URL on the named major versions of PostgreSQL, as in
// `npm run test:postgres -- 16 17`, by default on each that Techfolio supports. Tests the newest minor releases that it finds.
// `npm test` covers the bundled version and, if there is one, the version that is installed on the machine.
import { build, ensureInstalled, fail, findNode, run } from "./ensure.mjs";
import { withPostgres } from "./test-packages.mjs";

const FILES = [
  ...["external", "several", "pooler", "tls", "backup", "upgrade", "migrate"].map(
    (name) => `tests/operation/${name}.test.ts`,
  ),
  "tests/parity",
];
const VERSIONS = ["15", "16", "17", "18"];

const asked = process.argv.slice(2);
const unknown = asked.find((version) => !/^\d\d$/.test(version));
if (unknown !== undefined)
  fail(`"${unknown}" isn't a major version of PostgreSQL: use two digits, such as 16.`);

await ensureInstalled();
const node = findNode();
await build(node);

/** @type {string[]} */
const passed = [];
/** @type {string[]} */
const failed = [];
for (const major of asked.length > 0 ? asked : VERSIONS) {
  let status;
  const version = await withPostgres(major, (TEST_POSTGRES) => {
    ({ status } = run(node, "vitest", "vitest", ["run", ...FILES], { NODE_ENV: "test", TEST_POSTGRES }));
  });
  (status === 0 ? passed : failed).push(version);
}
console.log(
  `Passed with PostgreSQL: ${passed.join(", ") || "none"}. Failed with: ${failed.join(", ") || "none"}.`,
);
process.exit(failed.length === 0 ? 0 : 1);
