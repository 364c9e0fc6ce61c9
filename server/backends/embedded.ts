import pg from "pg";
import { memoryCounters } from "../auth/counters.ts";
import { prepareDataDir } from "../config/data-directory.ts";
import { loadKeys } from "../config/keys.ts";
import type { Settings } from "../config/settings.ts";
import { StartError } from "../config/start-error.ts";
import { watchFreeSpace } from "../http/free-space.ts";
import type { Log } from "../http/log.ts";
import { openDatabase } from "../postgres/database.ts";
import { type EmbeddedPostgres, startPostgres } from "../postgres/embedded/embedded-postgres.ts";
import { serveBuiltIn } from "./built-in.ts";
import { prepareDatabase } from "./prepare-database.ts";
import type { Backend, RunningBackend } from "./types.ts";

export function embeddedBackend(settings: Settings): Backend {
  return { start: (log, tell) => start(settings, log, tell) };
}

async function start(settings: Settings, log: Log, tell: (line: string) => void): Promise<RunningBackend> {
  await prepareDataDir(settings.dataDir);
  const postgres = await startPostgres(settings.dataDir, log, () => tell("Creating the database…"));
  try {
    return await serve(postgres, settings, log);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

async function serve(postgres: EmbeddedPostgres, settings: Settings, log: Log): Promise<RunningBackend> {
  // After the database, so that nothing is written into a directory that turns out not to be usable.
  const keys = await loadKeys(settings);
  const { connectionString, demo } = await prepare(postgres, settings, keys.jwtSecret, log);
  const database = openDatabase({ connectionString, log });
  const served = serveBuiltIn({ settings, keys, database, log, counters: memoryCounters });
  const freeSpace = watchFreeSpace(settings.dataDir, log);
  return {
    ...served,
    demo,
    isDiskFull: () => freeSpace.isShort(),
    async close() {
      freeSpace.stop();
      await served.close();
      await postgres.stop();
    },
  };
}

async function prepare(postgres: EmbeddedPostgres, settings: Settings, secret: string, log: Log) {
  const admin = await postgres.connect();
  try {
    return await prepareDatabase(admin, {
      url: postgres.connectionString(),
      seed: settings.seed,
      secret,
      log,
    });
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    throw new StartError(
      `The database in DATA_DIR ${settings.dataDir} cannot be prepared: ${error.message}.`,
    );
  } finally {
    await admin.end();
  }
}
