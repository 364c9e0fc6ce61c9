// Runs the tests of sites with DATABASE_URL on the named major versions of PostgreSQL, as in
// `npm run test:postgres -- 16 17`, which is also the default.
// `npm test` covers the bundled version and, if there is one, the version that is installed on the machine.
import { build, ensureInstalled, fail, findNode, run } from "./ensure.mjs";
import { withPostgres } from "./test-packages.mjs";

const FILES = [
  ...["external", "several", "pooler", "tls", "backup"].map((name) => `tests/operation/${name}.test.ts`),
  "tests/parity",
];
const VERSIONS = ["16", "17"];

const asked = process.argv.slice(2);
const unknown = asked.find((version) => !/^\d\d$/.test(version));
if (unknown !== undefined)
  fail(`"${unknown}" isn't a major version of PostgreSQL: use two digits, such as 16.`);

await ensureInstalled({ development: true });
const node = findNode();
await build(node);

let failed = 0;
for (const major of asked.length > 0 ? asked : VERSIONS) {
  withPostgres(major, (TEST_POSTGRES) => {
    const { status } = run(node, "vitest", "vitest", ["run", ...FILES], { NODE_ENV: "test", TEST_POSTGRES });
    if (status !== 0) failed += 1;
  });
}
process.exit(failed === 0 ? 0 : 1);
