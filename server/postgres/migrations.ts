import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { commandLine } from "../config/command-line.ts";
import { OperatorError } from "../config/operator-error.ts";
import { programFile } from "../config/program-folder.ts";
import { isDeadlock, isLockTimeout } from "./database-errors.ts";

export interface Migration {
  version: string;
  name: string;
  sql: string;
}

const BASE_FILE = programFile("server/postgres/base.sql");
const MIGRATIONS_FOLDER = programFile("supabase/migrations");

const CREATE_HISTORY = `
  create schema if not exists supabase_migrations;
  create table if not exists supabase_migrations.schema_migrations (
    version text primary key, statements text[], name text
  );
  grant usage on schema supabase_migrations to authenticator;
  grant select on supabase_migrations.schema_migrations to authenticator;`;

/** The comment of schema `auth` contains the version of base.sql, so that most starts don't need to run the file. */
const BASE_VERSION = `
  select substring(obj_description(oid, 'pg_namespace') from '^Techfolio base (\\d+)')::int as version
  from pg_namespace where nspname = 'auth'`;

/** Returns the migrations in version order. Throws OperatorError if two files have the same version. */
export async function readMigrations(folder = MIGRATIONS_FOLDER): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => /^\d+_.+\.sql$/.test(file)).sort();
  const versionOf = (file: string) => file.split("_", 1)[0] ?? "";
  const twice = files.find((file, at) => at > 0 && versionOf(file) === versionOf(files[at - 1] ?? ""));
  if (twice !== undefined) {
    // The history has one row per version, so one of the files would never be applied.
    throw new OperatorError(
      `Two migrations have the version ${versionOf(twice)}: give one of the files in ${folder} another version.`,
    );
  }
  return Promise.all(
    files.map(async (file) => {
      const [version = "", ...name] = file.replace(/\.sql$/, "").split("_");
      const sql = await readFile(path.join(folder, file), "utf8");
      return { version, name: name.join("_"), sql };
    }),
  );
}

/**
 * Applies base.sql if the database has an older version of it, and then each pending migration in its own transaction.
 * Calls `onMigration` before each of them. Returns the versions of the migrations that it applied. `client` must be
 * connected as the owner. Throws OperatorError if the schema is older than the first migration, or if another session
 * holds a lock for a minute that a migration needs.
 */
export async function migrate(
  client: pg.ClientBase,
  migrations?: Migration[],
  onMigration: (name: string) => void = () => undefined,
): Promise<string[]> {
  const all = migrations ?? (await readMigrations());
  // If the schema is too old, this throws before anything is changed.
  if (await hasHistory(client)) await pendingMigrations(client, all);
  await betweenRequests(client, () => applyBase(client));
  const applied: string[] = [];
  for (const migration of await pendingMigrations(client, all)) {
    onMigration(migration.name);
    await betweenRequests(client, async () => {
      // Another process may have applied this migration in the meantime.
      if ((await readHistory(client)).has(migration.version)) return;
      await apply(client, migration);
      applied.push(migration.version);
    });
  }
  return applied;
}

/** Returns the migrations that the database lacks. Throws OperatorError if its schema is older than the first one. */
export async function pendingMigrations(
  client: pg.ClientBase,
  migrations: Migration[],
): Promise<Migration[]> {
  const history = await readHistory(client);
  const first = migrations[0]?.version ?? "";
  if ([...history].some((version) => version < first)) {
    throw new OperatorError(
      `The database was created by a version from before 0.1.0: save its content with ${commandLine("backup", "FILE")}, and load it into an empty DATA_DIR or DATABASE_URL with ${commandLine("restore", "FILE")}.`,
    );
  }
  return migrations.filter(({ version }) => !history.has(version));
}

/** Returns the names of files that differ from what the database has run, which a developer has edited since. */
export async function editedMigrations(client: pg.ClientBase, migrations: Migration[]): Promise<string[]> {
  const { rows } = await client.query<{ version: string; sql: string }>(
    // The Supabase CLI records each statement of a file separately, so its migrations can't be compared.
    "select version, statements[1] as sql from supabase_migrations.schema_migrations where cardinality(statements) = 1",
  );
  const applied = new Map(rows.map(({ version, sql }) => [version, sql]));
  return migrations
    .filter(({ version, sql }) => applied.has(version) && applied.get(version) !== sql)
    .map(({ version, name }) => `${version}_${name}.sql`);
}

/** Whether a start has prepared the database. */
export async function hasHistory(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>(
    "select to_regclass('supabase_migrations.schema_migrations') is not null as exists",
  );
  return rows[0]?.exists ?? false;
}

async function readHistory(client: pg.ClientBase): Promise<Set<string>> {
  const { rows } = await client.query<{ version: string }>(
    "select version from supabase_migrations.schema_migrations",
  );
  return new Set(rows.map(({ version }) => version));
}

const LOCK_TIMEOUT = 500;
const PAUSE_BETWEEN_ATTEMPTS = 200;
const MAX_WAIT_FOR_LOCKS = 60_000;

/**
 * Runs `work` as `withMigrationLock` does. While a migration waits for a lock, new requests wait too. So it gives up
 * after half a second, lets them pass, and tries again for a minute.
 */
async function betweenRequests(client: pg.ClientBase, work: () => Promise<void>): Promise<void> {
  const end = performance.now() + MAX_WAIT_FOR_LOCKS;
  for (;;) {
    try {
      await withMigrationLock(client, async () => {
        await client.query(`set local lock_timeout = ${LOCK_TIMEOUT}`);
        await work();
      });
      return;
    } catch (error) {
      if (!isLockTimeout(error) && !isDeadlock(error)) throw error;
      if (performance.now() > end) {
        throw new OperatorError(
          "The upgrade can't lock a table that another session has used for a minute: end that session's transaction, then start again.",
          { cause: error },
        );
      }
      await sleep(PAUSE_BETWEEN_ATTEMPTS);
    }
  }
}

/** Runs `work` in a transaction, while no other process migrates, seeds or restores this database. */
export async function withMigrationLock<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query("begin");
  try {
    await takeMigrationLock(client);
    const result = await work();
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

/** Takes a transaction-level lock: if this process crashed, a connection pooler could keep a session-level lock. */
export async function takeMigrationLock(client: pg.ClientBase): Promise<void> {
  await client.query("select pg_advisory_xact_lock(hashtextextended('techfolio', 0))");
}

/**
 * Since PostgreSQL 15.20, a restore can't suspend and add the checks of domains before this migration. It changes no
 * column, so the rows of older backups fit.
 */
const NEEDED_TO_RESTORE = "20261128101000";

/**
 * Creates the schema for restoring a backup: applies base.sql and the migrations up to `version`, the newest one in the
 * backup. The site's next start applies the later ones.
 */
export async function createSchema(client: pg.ClientBase, version: string): Promise<void> {
  await applyBase(client);
  // The first migration replaced earlier ones. A backup from before then has a lower version, but its rows fit this schema.
  for (const migration of await readMigrations())
    if (migration.version <= version || migration.version <= NEEDED_TO_RESTORE)
      await apply(client, migration);
}

async function applyBase(client: pg.ClientBase): Promise<void> {
  const { version, sql } = await readBase();
  const { rows } = await client.query<{ version: number | null }>(BASE_VERSION);
  if ((rows[0]?.version ?? 0) >= version) return;
  await client.query(`${sql}\n${CREATE_HISTORY}\ncomment on schema auth is 'Techfolio base ${version}'`);
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
