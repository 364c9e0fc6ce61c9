import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";

export interface Migration {
  version: string;
  name: string;
  sql: string;
}

const BASE_FILE = path.join(import.meta.dirname, "base.sql");
const MIGRATIONS_FOLDER = path.join(import.meta.dirname, "../../supabase/migrations");

const HISTORY = `
  create schema if not exists supabase_migrations;
  create table if not exists supabase_migrations.schema_migrations (
    version text primary key, statements text[], name text
  );
  grant usage on schema supabase_migrations to authenticator;
  grant select on supabase_migrations.schema_migrations to authenticator;`;

/** base.sql is recorded as the comment of schema auth: most starts have nothing to do. */
const BASE_VERSION = `
  select substring(obj_description(oid, 'pg_namespace') from '^Techfolio base (\\d+)')::int as version
  from pg_namespace where nspname = 'auth'`;

export async function readMigrations(): Promise<Migration[]> {
  const files = (await readdir(MIGRATIONS_FOLDER)).filter((file) => /^\d+_.+\.sql$/.test(file)).sort();
  return Promise.all(
    files.map(async (file) => {
      const [version = "", ...name] = file.replace(/\.sql$/, "").split("_");
      const sql = await readFile(path.join(MIGRATIONS_FOLDER, file), "utf8");
      return { version, name: name.join("_"), sql };
    }),
  );
}

/** As the owner. Each migration is applied whole or not at all; those before a failed one stay. */
export async function migrate(client: pg.ClientBase, migrations?: Migration[]): Promise<string[]> {
  await locked(client, () => applyBase(client));
  const applied: string[] = [];
  for (const migration of await pending(client, migrations ?? (await readMigrations()))) {
    await locked(client, async () => {
      if ((await pending(client, [migration])).length === 0) return;
      await apply(client, migration);
      applied.push(migration.version);
    });
  }
  return applied;
}

export async function pending(client: pg.ClientBase, migrations: Migration[]): Promise<Migration[]> {
  const known = await client.query<{ version: string }>(
    "select version from supabase_migrations.schema_migrations",
  );
  const versions = new Set(known.rows.map((row) => row.version));
  return migrations.filter((migration) => !versions.has(migration.version));
}

export async function locked<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query("begin");
  try {
    await takeLock(client);
    const result = await work();
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

/** Held by the transaction, not the session, so that it works through a pooler and ends with a crash. */
export async function takeLock(client: pg.ClientBase): Promise<void> {
  await client.query("select pg_advisory_xact_lock(hashtextextended('techfolio', 0))");
}

/** In the current transaction, for rows of that time. Later migrations are the next start's. */
export async function makeSchema(client: pg.ClientBase, last: string): Promise<void> {
  await applyBase(client);
  for (const migration of await readMigrations())
    if (migration.version <= last) await apply(client, migration);
}

async function applyBase(client: pg.ClientBase): Promise<void> {
  const { version, sql } = await readBase();
  const known = await client.query<{ version: number | null }>(BASE_VERSION);
  if ((known.rows[0]?.version ?? 0) >= version) return;
  await client.query(`${sql}\n${HISTORY}\ncomment on schema auth is 'Techfolio base ${version}'`);
}

export async function readBase(): Promise<{ version: number; sql: string }> {
  const sql = await readFile(BASE_FILE, "utf8");
  return { version: Number(/^-- Version (\d+)\./.exec(sql)?.[1]), sql };
}

async function apply(client: pg.ClientBase, { version, name, sql }: Migration): Promise<void> {
  await client.query(sql);
  await client.query(
    "insert into supabase_migrations.schema_migrations (version, statements, name) values ($1, $2, $3)",
    [version, [sql], name],
  );
}
