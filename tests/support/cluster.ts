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
  const folder = process.env[FOLDER];
  // Where no runner prepared one, the site makes its own.
  if (folder === undefined) return dataDir;
  const template = path.join(folder, "template");
  if (!existsSync(template)) await initialize(folder, template);
  // Keeps the owner: root's PostgreSQL runs as another account.
  await run("cp", ["-a", `${template}/.`, dataDir]);
  return dataDir;
}

async function initialize(folder: string, template: string): Promise<void> {
  const aside = await mkdtemp(path.join(folder, "aside-"));
  const postgres = await startPostgres(
    aside,
    createLog(() => undefined),
  );
  const owner = await postgres.connect();
  await migrate(owner);
  await owner.end();
  await postgres.stop();
  // Another worker may have been faster.
  await rename(aside, template).catch(() => undefined);
}
