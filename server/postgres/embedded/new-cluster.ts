import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { flushFolder, prepareDataDir } from "../../config/data-directory.ts";
import { StartError } from "../../config/start-error.ts";
import type { Log } from "../../http/log.ts";
import { stopLeftover } from "./leftover.ts";
import { lockDataDir } from "./lock.ts";
import { startForConnection } from "./running-cluster.ts";

/** Builds aside, and moves into place once filled: a crash leaves no half. Throws StartError, and as `fill` does. */
export async function withNewCluster<T>(
  dataDir: string,
  log: Log,
  fill: (client: pg.Client) => Promise<T>,
): Promise<T> {
  // Before the lock, so that a running site is told from an empty directory.
  if (existsSync(path.join(dataDir, "postgres"))) {
    throw new StartError(
      `DATA_DIR ${dataDir} already has a database: restore into another one. Nothing was changed.`,
    );
  }
  await prepareDataDir(dataDir);
  const unlock = lockDataDir(dataDir);
  const aside = path.join(dataDir, ".restore");
  try {
    await stopLeftover(path.join(aside, "postgres"));
    await rm(aside, { recursive: true, force: true });
    await mkdir(aside, { mode: 0o700 });
    const { client, close } = await startForConnection(aside, log);
    const result = await fill(client).finally(close);
    // The password without the database is nothing: the next start makes a database that has it.
    await rename(path.join(aside, "postgres.password"), path.join(dataDir, "postgres.password"));
    await rename(path.join(aside, "postgres"), path.join(dataDir, "postgres"));
    await flushFolder(dataDir);
    return result;
  } finally {
    await rm(aside, { recursive: true, force: true });
    unlock();
  }
}
