import { existsSync } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { prepareDataDir } from "../../config/data-directory.ts";
import type { Log } from "../../http/log.ts";
import { startPostgres } from "../../postgres/embedded/embedded-postgres.ts";
import { stopLeftover } from "../../postgres/embedded/leftover.ts";
import { lockDataDir } from "../../postgres/embedded/lock.ts";
import { BackupError } from "./backup-error.ts";

/**
 * Takes a data directory without a database and what fills one, makes a database there and returns what that
 * returned. It is built aside and takes its place only once it is filled, so that neither a failure nor a crash
 * leaves half of one. Throws BackupError, StartError, and whatever the work throws.
 */
export async function withNewCluster<T>(
  dataDir: string,
  log: Log,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  // Checked before the lock, so that a running site is told from an empty directory; a database that comes in
  // between makes the last step fail, since a folder never replaces one that holds something (rename(2)).
  if (existsSync(path.join(dataDir, "postgres"))) {
    throw new BackupError(
      `DATA_DIR ${dataDir} already has a database: restore into another one. Nothing was changed.`,
    );
  }
  await prepareDataDir(dataDir);
  const unlock = lockDataDir(dataDir);
  const aside = path.join(dataDir, ".restore");
  try {
    await clear(aside);
    const result = await fill(aside, log, work);
    // The password without the database is nothing: the next start makes a database that has it.
    await rename(path.join(aside, "postgres.password"), path.join(dataDir, "postgres.password"));
    await rename(path.join(aside, "postgres"), path.join(dataDir, "postgres"));
    await flush(dataDir);
    return result;
  } finally {
    await rm(aside, { recursive: true, force: true });
    unlock();
  }
}

/** What an earlier attempt left that was killed: its PostgreSQL may still be running. */
async function clear(aside: string): Promise<void> {
  await stopLeftover(path.join(aside, "postgres"));
  await rm(aside, { recursive: true, force: true });
  await mkdir(aside, { mode: 0o700 });
}

async function fill<T>(aside: string, log: Log, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const postgres = await startPostgres(aside, log);
  try {
    const client = await postgres.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  } finally {
    await postgres.stop();
  }
}

async function flush(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}
