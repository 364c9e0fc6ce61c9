import { readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import type { Settings } from "../../config/settings.ts";
import type { Log } from "../../http/log.ts";
import { clusterExists } from "../../postgres/embedded/cluster.ts";
import { startPostgres } from "../../postgres/embedded/embedded-postgres.ts";
import { connect, readPassword, unusable } from "../../postgres/embedded/superuser.ts";
import { connect as connectToExternal } from "../../postgres/external-server.ts";
import { BackupError } from "./backup-error.ts";

/** A connection of the owner, and what closes it. */
export interface SiteDatabase {
  client: pg.Client;
  close(): Promise<void>;
}

/**
 * Takes the settings and the log, connects to the site's database: that of DATABASE_URL, or the embedded one,
 * through the running site or by starting it for the time being. Throws BackupError or StartError.
 */
export async function openSiteDatabase(
  settings: Pick<Settings, "dataDir" | "databaseUrl" | "supabase">,
  log: Log,
): Promise<SiteDatabase> {
  refuseProject(settings);
  if (settings.databaseUrl !== undefined) return connectToUrl(settings.databaseUrl);
  if (!(await clusterExists(path.join(settings.dataDir, "postgres")))) {
    throw new BackupError(
      `There is no database in DATA_DIR ${settings.dataDir}: set the DATA_DIR of the site.`,
    );
  }
  const running = await connectToRunning(settings.dataDir);
  return running ?? startForNow(settings.dataDir, log);
}

/** Takes the settings. Throws BackupError when the database is Supabase's, which has tools of its own for this. */
export function refuseProject({ supabase }: Pick<Settings, "supabase">): void {
  if (supabase === undefined) return;
  throw new BackupError(
    "With SUPABASE_URL the data lies in the project: use its own backups (its dashboard, or supabase db dump).",
  );
}

/** Takes the address of DATABASE_URL, connects. Throws StartError. */
export async function connectToUrl(url: string): Promise<SiteDatabase> {
  const client = await connectToExternal(url);
  return { client, close: () => client.end() };
}

/**
 * Takes a data directory, connects to the PostgreSQL that a running site has there; undefined when none answers. Throws
 * StartError when it does not let its superuser in.
 */
export async function connectToRunning(dataDir: string): Promise<SiteDatabase | undefined> {
  const endpoint = await readEndpoint(path.join(dataDir, "postgres/postmaster.pid"));
  if (endpoint === undefined) return undefined;
  const password = await readPassword(dataDir);
  const login = { ...endpoint, user: "postgres", password, database: "postgres" };
  const client = await connect(login).catch((error) => {
    if (error instanceof pg.DatabaseError) throw unusable(dataDir, error);
    // A killed site leaves the file behind that says where it listened.
    return undefined;
  });
  return client && { client, close: () => client.end() };
}

/** Lines 4 to 6 tell where the server listens (PostgreSQL, src/include/utils/pidfile.h). */
async function readEndpoint(pidFile: string): Promise<{ host: string; port: number } | undefined> {
  const lines = (await readFile(pidFile, "utf8").catch(() => "")).split("\n").map((line) => line.trim());
  const [, , , port, socketFolder, address] = lines;
  const host = socketFolder ? path.resolve(path.dirname(pidFile), socketFolder) : address;
  return host && port ? { host, port: Number(port) } : undefined;
}

async function startForNow(dataDir: string, log: Log): Promise<SiteDatabase> {
  const postgres = await startPostgres(dataDir, log);
  try {
    const client = await postgres.connect();
    return {
      client,
      async close() {
        await client.end();
        await postgres.stop();
      },
    };
  } catch (error) {
    // Left running it would keep this process alive, and the site from starting.
    await postgres.stop();
    throw error;
  }
}
