import { createReadStream } from "node:fs";
import path from "node:path";
import pg from "pg";
import type { Settings } from "../../config/settings.ts";
import { reason } from "../../config/start-error.ts";
import type { Log } from "../../http/log.ts";
import { readBase, readMigrations, takeLock } from "../../postgres/migrations.ts";
import { BackupError } from "./backup-error.ts";
import { withNewCluster } from "./embedded-target.ts";
import { type Head, readHead } from "./format.ts";
import { splitLines } from "./lines.ts";
import { load } from "./load.ts";
import { connectToUrl, refuseProject } from "./site-database.ts";

type Lines = AsyncGenerator<Buffer>;

// Relations that a fresh database does not have; what extensions bring does not count.
const findRelation = `
  select format('%I.%I', nspname, relname) as name from pg_class c join pg_namespace n on n.oid = relnamespace
  where nspname not in ('pg_catalog', 'information_schema') and nspname !~ '^pg_(toast|temp)'
    and not exists (select from pg_depend where objid = c.oid and deptype = 'e')
  limit 1`;

/**
 * Takes the settings and a dump's name, loads it into the DATA_DIR or DATABASE_URL of the settings, which must be
 * empty; whole or not at all. Returns how many accounts there are now. Throws BackupError or StartError.
 */
export async function restore(settings: Settings, name: string, log: Log): Promise<number> {
  refuseProject(settings);
  const file = path.resolve(name);
  const lines = splitLines(createReadStream(file) as AsyncIterable<Buffer>);
  try {
    await checkVersion(await readFirstLines(lines, file));
    return settings.databaseUrl === undefined
      ? await withNewCluster(settings.dataDir, log, (client) => fill(client, lines))
      : await intoUrl(settings.databaseUrl, lines);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    throw new BackupError(`The backup cannot be loaded (${error.message}): nothing was restored.`);
  } finally {
    await lines.return(undefined);
  }
}

async function readFirstLines(lines: Lines, file: string): Promise<Head> {
  try {
    const first = await lines.next();
    const second = await lines.next();
    return readHead([first, second].map((line) => (line.done ? "" : line.value.toString())));
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw new BackupError(`${file} cannot be read: ${reason(error)}.`);
  }
}

async function checkVersion({ base, migration }: Head): Promise<void> {
  const newestBase = (await readBase()).version;
  const newest = (await readMigrations()).at(-1)?.version ?? "0";
  if (base <= newestBase && migration <= newest) return;
  throw new BackupError(
    `The backup was made by a newer Techfolio (base ${base}, migration ${migration}; this one has base ${newestBase}, migration ${newest}): update Techfolio first.`,
  );
}

async function intoUrl(url: string, lines: Lines): Promise<number> {
  const { client, close } = await connectToUrl(url);
  try {
    return await fill(client, lines);
  } finally {
    await close();
  }
}

async function fill(client: pg.Client, lines: Lines): Promise<number> {
  await client.query("begin");
  // The lock under which servers migrate: one that starts now waits, and finds a complete site or an empty database.
  await takeLock(client);
  const found = await client.query<{ name: string }>(findRelation);
  const relation = found.rows[0]?.name;
  if (relation !== undefined) {
    throw new BackupError(
      `The database of DATABASE_URL is not empty (it has ${relation}): restore into a new one. Nothing was changed.`,
    );
  }
  await load(client, lines);
  const accounts = await client.query<{ count: number }>("select count(*)::int from auth.users");
  return accounts.rows[0]?.count ?? 0;
}
