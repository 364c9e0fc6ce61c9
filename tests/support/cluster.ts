import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { createLog } from "../../server/http/log.ts";
import { startPostgres } from "../../server/postgres/embedded/embedded-postgres.ts";
import { migrate } from "../../server/postgres/migrations.ts";
import { newDataDir } from "./data-dir.ts";

const run = promisify(execFile);
const FOLDER = "TEST_CLUSTER_FOLDER";

/**
 * Global setup for vitest and Playwright. Creates a folder for the database templates that all workers of a test run
 * share, and returns a function that removes it.
 */
export default async function prepareClusterFolder(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), "techfolio-cluster-"));
  process.env[FOLDER] = folder;
  return () => rm(folder, { recursive: true, force: true });
}

/** Returns a data directory with a migrated, empty database: a copy of a template, which saves a second of CPU time. */
export async function newClusterDir(emptyFolder?: string): Promise<string> {
  const dataDir = emptyFolder ?? (await newDataDir());
  // `npm run drill` has no folder for templates. The directory stays empty, and the site creates its database in it.
  if (process.env[FOLDER]) await makeOnce("embedded", dataDir, () => initialize(dataDir));
  return dataDir;
}

/**
 * Fills `folder`: the first call with a name runs `make`, and later calls in the same run copy its result. If there is
 * no folder for templates, every call runs `make`.
 */
export async function makeOnce(name: string, folder: string, make: () => Promise<void>): Promise<void> {
  const shared = process.env[FOLDER];
  if (shared === undefined) return make();
  const template = path.join(shared, name);
  if (existsSync(template)) return copy(template, folder);
  await make();
  const unfinished = await mkdtemp(path.join(shared, "unfinished-"));
  await copy(folder, unfinished);
  // Renaming fails if another worker has finished the template first. Later calls then copy that worker's template.
  await rename(unfinished, template).catch(() => undefined);
}

/** Preserves the files' owner: if root runs the tests, PostgreSQL runs as another account, which must own them. */
async function copy(from: string, to: string): Promise<void> {
  await run("cp", ["-a", `${from}/.`, to]);
}

async function initialize(dataDir: string): Promise<void> {
  const postgres = await startPostgres(
    dataDir,
    createLog(() => undefined),
  );
  const owner = await postgres.connect();
  await migrate(owner);
  await owner.end();
  await postgres.stop();
}
