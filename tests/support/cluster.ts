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

/** For the runners of tests: a place for the cluster that all of a run share, removed after it. */
export default async function prepareClusterFolder(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), "techfolio-cluster-"));
  process.env[FOLDER] = folder;
  return () => rm(folder, { recursive: true, force: true });
}

/** A data directory whose database is migrated and empty: initdb and the migrations take a second of processor. */
export async function newClusterDir(emptyFolder?: string): Promise<string> {
  const dataDir = emptyFolder ?? (await newDataDir());
  // Where no runner prepared a place, the site makes its own.
  if (process.env[FOLDER]) await makeOnce("embedded", dataDir, () => initialize(dataDir));
  return dataDir;
}

/** Fills a folder by `make`, the next of a run with the same name by a copy of that. */
export async function makeOnce(name: string, folder: string, make: () => Promise<void>): Promise<void> {
  const shared = process.env[FOLDER];
  if (shared === undefined) return make();
  const template = path.join(shared, name);
  if (existsSync(template)) return copy(template, folder);
  await make();
  const aside = await mkdtemp(path.join(shared, "aside-"));
  await copy(folder, aside);
  // Another worker may have been faster.
  await rename(aside, template).catch(() => undefined);
}

/** Keeps the owner: root's PostgreSQL runs as another account. */
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
