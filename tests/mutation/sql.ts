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
const TESTS = [
  "operation/schema",
  "operation/indexes",
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

  /** Returns a test that fails, if any. Its file runs first for the next fault, which is often similar. */
  async function findFailure(): Promise<string | undefined> {
    for (const names of [order.slice(0, 1), order.slice(1)]) {
      const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
        specifications.filter(({ moduleId }) => names.includes(nameOf(moduleId))),
      );
      const failed = testModules.find((testModule) => testModule.state() === "failed");
      if (failed === undefined && unhandledErrors.length === 0) continue;
      const name = failed === undefined ? (names[0] ?? "") : nameOf(failed.moduleId);
      order = [name, ...order.filter((other) => other !== name)];
      const [test] = failed?.children.allTests("failed") ?? [];
      return `${name}: ${test?.fullName ?? "the whole file"}`;
    }
    return undefined;
  }

  await plant("select");
  const failure = await findFailure();
  if (failure !== undefined) throw new Error(`A test fails without a fault: ${failure}`);

  const results: (SqlFault & { noticedBy: string | undefined })[] = [];
  for (const fault of faults) {
    const isPlanted = await plant(fault.sql).then(
      () => true,
      (error: Error) => void process.stdout.write(`${fault.name}: ${error.message}\n`),
    );
    if (!isPlanted) continue;
    const noticedBy = await findFailure();
    results.push({ ...fault, noticedBy });
    if (results.length % 50 === 0) process.stdout.write(`${results.length} of ${faults.length}\n`);
    if (noticedBy === undefined) process.stdout.write(`survived  ${fault.area}: ${fault.name}\n`);
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

async function plant(sql: string): Promise<void> {
  await server.query("drop database if exists changed with (force)");
  await server.query("create database changed template migrated");
  const client = await connect("changed");
  await client.query(sql).finally(() => client.end());
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
