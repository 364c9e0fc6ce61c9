// Plants faults in the database's schema, one at a time, and lists those that no test notices: `npm run mutate -- sql`.
// One PostgreSQL serves the run. Each fault changes a copy of the migrated database, and each test file copies that again.
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { createVitest } from "vitest/node";
import { createLog } from "../../server/http/log.ts";
import { startPostgres } from "../../server/postgres/embedded/embedded-postgres.ts";
import { migrate } from "../../server/postgres/migrations.ts";
import prepareRun from "../support/cluster.ts";
import { newDataDir } from "../support/data-dir.ts";
import { CHANGED_DATABASE } from "../support/database-template.ts";
import { chooseTemporaryFolder } from "../support/temporary-folder.ts";
import { listSqlFaults, type SqlFault } from "./sql-faults.ts";

/**
 * The tests of access and of the schema. The tests of files in supabase/ are not among them: they compare the schema with
 * its description, so they would notice every fault that isn't in both. Nor are tests that need the built site, such as
 * `operation/reports`.
 */
const SHORT_TESTS = ["operation/schema", "operation/indexes"];
const LONG_TESTS = [
  "operation/triggers",
  "access/ownership",
  "access/versions",
  "access/storage",
  "access/storage-reading",
  "access/storage-limits",
  "access/refusals",
  "access/at-limits",
  "access/one-person",
  "access/columns",
  "access/auth-admin",
  "access/auth-closed",
  "access/auth-session",
  "operation/derived",
  "operation/operators-lists",
  "operation/people-search",
  "operation/list-pages",
  "operation/search-everything",
  "operation/search-documents",
  "access/reports",
  "access/matrix",
];
const TESTS = [...SHORT_TESTS, ...LONG_TESTS];

/** Most faults that the short tests don't notice survive, so the longer ones run with several faults at once. */
const GROUP = 8;

// Each run of Vitest adds listeners to the process.
process.setMaxListeners(0);
process.env["TMPDIR"] = chooseTemporaryFolder();
const endRun = await prepareRun();
const patterns = process.argv.slice(2);
const root = path.join(import.meta.dirname, "../..");
const dataDir = await newDataDir();
const postgres = await startPostgres(
  dataDir,
  createLog(() => undefined),
);
const server = await connect("postgres");
try {
  await run();
} finally {
  await server.end();
  await postgres.stop();
  await endRun();
}
process.exit();

async function run(): Promise<void> {
  await server.query("create database migrated");
  const migrated = await connect("migrated");
  await migrate(migrated);
  const all = await listSqlFaults(migrated);
  await migrated.end();
  const faults = all.filter(({ area, name }) =>
    patterns.every((pattern) => `${area} ${name}`.includes(pattern)),
  );

  process.env[CHANGED_DATABASE] = addressOf("changed");
  const vitest = await createVitest({
    root,
    config: false,
    watch: false,
    isolate: false,
    pool: "forks",
    maxWorkers: 1,
    bail: 1,
    reporters: [{}],
    setupFiles: ["tests/support/short-connections.ts", "tests/support/end-threads.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    include: TESTS.map((name) => `tests/${name}.test.ts`),
    onConsoleLog: () => false,
  });
  const specifications = await vitest.globTestSpecifications();
  const nameOf = (file: string) => path.relative(path.join(root, "tests"), file).replace(".test.ts", "");
  let order = TESTS;

  /** Returns one of these tests that fails, if any. Its file runs first for the next faults, which are often similar. */
  async function findFailure(tests: string[]): Promise<string | undefined> {
    const ordered = order.filter((name) => tests.includes(name));
    for (const names of [ordered.slice(0, 1), ordered.slice(1)]) {
      const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
        specifications.filter(({ moduleId }) => names.includes(nameOf(moduleId))),
      );
      // Vitest also returns what it ran before.
      const failed = testModules.find(
        (testModule) => names.includes(nameOf(testModule.moduleId)) && testModule.state() === "failed",
      );
      if (failed === undefined && unhandledErrors.length === 0) continue;
      const name = failed === undefined ? (names[0] ?? "") : nameOf(failed.moduleId);
      order = [name, ...order.filter((other) => other !== name)];
      const [test] = failed?.children.allTests("failed") ?? [];
      return `${name}: ${test?.fullName ?? "the whole file"}`;
    }
    return undefined;
  }

  await plant([]);
  const failure = await findFailure(TESTS);
  if (failure !== undefined) throw new Error(`A test fails without a fault: ${failure}`);

  const results: (SqlFault & { noticedBy: string | undefined })[] = [];
  function record(fault: SqlFault, noticedBy: string | undefined): void {
    results.push({ ...fault, noticedBy });
    if (results.length % 50 === 0) process.stdout.write(`${results.length} of ${faults.length}\n`);
    if (noticedBy === undefined) process.stdout.write(`survived  ${fault.area}: ${fault.name}\n`);
  }

  /** Runs the longer tests with all of these faults at once, and again with each half if a test fails. */
  async function examine(group: SqlFault[]): Promise<void> {
    const error = await plant(group).then(() => undefined, String);
    const isOne = group.length === 1;
    if (error !== undefined && isOne) return void process.stdout.write(`${group[0]?.name}: ${error}\n`);
    const noticedBy = error ?? (await findFailure(LONG_TESTS));
    if (noticedBy === undefined || isOne) return group.forEach((fault) => void record(fault, noticedBy));
    await examine(group.slice(0, group.length / 2));
    await examine(group.slice(group.length / 2));
  }

  const unnoticed: SqlFault[] = [];
  for (const fault of faults) {
    const noticedBy = await plant([fault]).then(
      () => findFailure(SHORT_TESTS),
      () => undefined,
    );
    if (noticedBy === undefined) unnoticed.push(fault);
    else record(fault, noticedBy);
  }
  process.stdout.write(`${unnoticed.length} of ${faults.length} need the longer tests\n`);
  for (let start = 0; start < unnoticed.length; start += GROUP) {
    await examine(unnoticed.slice(start, start + GROUP));
  }
  await vitest.close();

  for (const area of new Set(results.map((result) => result.area))) {
    const planted = results.filter((result) => result.area === area);
    const noticed = planted.filter(({ noticedBy }) => noticedBy !== undefined);
    const share = Math.round((100 * noticed.length) / planted.length);
    process.stdout.write(
      `${area}: ${share} % noticed, ${planted.length - noticed.length} of ${planted.length} survived\n`,
    );
  }
  await mkdir(path.join(root, "test-results"), { recursive: true });
  await writeFile(path.join(root, "test-results/sql-mutation.json"), JSON.stringify(results, undefined, 2));
}

async function plant(group: SqlFault[]): Promise<void> {
  await server.query("drop database if exists changed with (force)");
  await server.query("create database changed template migrated");
  const client = await connect("changed");
  await client.query(group.map(({ sql }) => sql).join("; ")).finally(() => client.end());
}

async function connect(database: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: addressOf(database) });
  await client.connect();
  return client;
}

function addressOf(database: string): string {
  const address = new URL(postgres.connectionString);
  address.pathname = `/${database}`;
  return address.href;
}
