import { createReadStream } from "node:fs";
import path from "node:path";
import pg from "pg";
import type { Backend } from "../../backends/types.ts";
import { reason } from "../../config/start-error.ts";
import type { Log } from "../../http/log.ts";
import { makeSchema, readMigrations, takeLock } from "../../postgres/migrations.ts";
import { markSeedDecided } from "../../postgres/seed.ts";
import { CommandError } from "../command-error.ts";
import { readHead } from "./dump-format.ts";
import { splitLines } from "./lines.ts";
import { load } from "./load-dump.ts";

type Lines = AsyncGenerator<Buffer>;

const FIND_RELATION = `
  select format('%I.%I', nspname, relname) as name from pg_class c join pg_namespace n on n.oid = relnamespace
  where nspname not in ('pg_catalog', 'information_schema') and nspname !~ '^pg_(toast|temp)'
    and not exists (select from pg_depend where objid = c.oid and deptype = 'e')
  limit 1`;

/** Loads a dump into an empty database, whole or not at all; the number of accounts. Throws CommandError or StartError. */
export async function restoreBackup(backend: Backend, name: string, log: Log): Promise<number> {
  backend.checkBackups();
  const file = path.resolve(name);
  const lines = splitLines(createReadStream(file) as AsyncIterable<Buffer>);
  try {
    const migration = await readVersion(lines, file);
    return await backend.fillEmpty(log, (owner) => fill(owner, lines, migration));
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    throw new CommandError(`The backup cannot be loaded (${error.message}): nothing was restored.`);
  } finally {
    await lines.return(undefined);
  }
}

async function readVersion(lines: Lines, file: string): Promise<string> {
  const first = await readLines(lines, 2).catch((error) => {
    throw new CommandError(`${file} cannot be read: ${reason(error)}.`);
  });
  const migration = readHead(first);
  const newest = (await readMigrations()).at(-1)?.version ?? "0";
  if (migration <= newest) return migration;
  throw new CommandError(
    `The backup was made by a newer Techfolio (migration ${migration}; this one has ${newest}): update Techfolio first.`,
  );
}

async function readLines(lines: Lines, count: number): Promise<string[]> {
  const read: string[] = [];
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    read.push(line.value.toString());
    if (read.length === count) break;
  }
  return read;
}

async function fill(owner: pg.Client, lines: Lines, migration: string): Promise<number> {
  await owner.query("begin");
  // The lock under which servers migrate: one that starts now waits, and finds a complete site or an empty database.
  await takeLock(owner);
  const found = await owner.query<{ name: string }>(FIND_RELATION);
  const relation = found.rows[0]?.name;
  if (relation !== undefined) {
    throw new CommandError(
      `The database of DATABASE_URL is not empty (it has ${relation}): restore into a new one. Nothing was changed.`,
    );
  }
  await makeSchema(owner, migration);
  await markSeedDecided(owner);
  await load(owner, lines);
  await owner.query("commit");
  const accounts = await owner.query<{ count: number }>("select count(*)::int from auth.users");
  return accounts.rows[0]?.count ?? 0;
}
