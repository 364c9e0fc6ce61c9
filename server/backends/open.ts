import pg from "pg";
import { prepareDataDir } from "../config/data-directory.ts";
import { type Keys, loadKeys } from "../config/keys.ts";
import type { Settings } from "../config/settings.ts";
import { StartError } from "../config/start-error.ts";
import type { Log } from "../http/log.ts";
import { type Database, openDatabase } from "../postgres/database.ts";
import { type EmbeddedPostgres, startPostgres } from "../postgres/embedded/embedded-postgres.ts";
import { migrate } from "../postgres/migrations.ts";
import { replicaAddress, withReplica } from "../postgres/replica.ts";
import { type DemoMember, seed } from "../postgres/seed.ts";
import { ensureServingRole } from "../postgres/serving-role.ts";
import { servingAddress } from "./postgres.ts";

/** The database ready for requests, with what goes with it. */
export interface Opened {
  database: Database | undefined;
  keys: Keys;
  /** Only when this start loaded the demo community. */
  demo: DemoMember | undefined;
  close(): Promise<void>;
}

/**
 * Takes the settings, opens what stands behind the site: the Supabase project (nothing to open), the server of
 * DATABASE_URL, or the embedded one. `tell` gets lines for the person who waits. Throws StartError.
 */
export function open(settings: Settings, log: Log, tell: (line: string) => void): Promise<Opened> {
  if (settings.supabase !== undefined) return openProject(settings);
  return settings.databaseUrl === undefined
    ? openEmbedded(settings, log, tell)
    : openExternal(settings, settings.databaseUrl, log);
}

async function openProject(settings: Settings): Promise<Opened> {
  return {
    database: undefined,
    keys: await loadKeys(settings),
    demo: undefined,
    close: async () => undefined,
  };
}

async function openExternal(settings: Settings, url: string, log: Log): Promise<Opened> {
  const keys = await loadKeys(settings);
  const { connectionString, demo } = await servingAddress(url, settings.seed ?? "none", keys.jwtSecret, log);
  const primary = openDatabase({ connectionString, log });
  const replica = settings.databaseReplicaUrl;
  const database =
    replica === undefined
      ? primary
      : withReplica(
          primary,
          openDatabase({ connectionString: replicaAddress(connectionString, replica) }),
          log,
        );
  return { database, keys, demo, close: () => database.close() };
}

async function openEmbedded(settings: Settings, log: Log, tell: (line: string) => void): Promise<Opened> {
  await prepareDataDir(settings.dataDir);
  const postgres = await startPostgres(settings.dataDir, log, () => tell("Creating the database…"));
  try {
    // After the database, so that nothing is written into a directory that turns out not to be usable.
    const keys = await loadKeys(settings);
    const { connectionString, demo } = await prepare(postgres, settings, keys.jwtSecret, log);
    const database = openDatabase({ connectionString, log });
    return {
      database,
      keys,
      demo,
      async close() {
        await database.close();
        await postgres.stop();
      },
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/** Brings the embedded database up to date, returns the address to serve requests with. Throws StartError. */
async function prepare(
  postgres: EmbeddedPostgres,
  { dataDir, seed: wanted }: Settings,
  secret: string,
  log: Log,
) {
  const admin = await postgres.connect();
  try {
    const versions = await migrate(admin);
    if (versions.length > 0) log.info("migrations applied", { versions });
    const demo = await seed(admin, wanted);
    return { connectionString: await ensureServingRole(admin, postgres.connectionString(), secret), demo };
  } catch (error) {
    if (error instanceof pg.DatabaseError) {
      throw new StartError(`The database in DATA_DIR ${dataDir} cannot be prepared: ${error.message}.`);
    }
    throw error;
  } finally {
    await admin.end();
  }
}
