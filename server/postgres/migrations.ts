import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";

/** One file of supabase/migrations, named `<version>_<name>.sql` as by the Supabase CLI. */
export interface Migration {
  version: string;
  name: string;
  sql: string;
}

const root = path.join(import.meta.dirname, "../..");
const baseFile = path.join(import.meta.dirname, "base.sql");
const migrationsFolder = path.join(root, "supabase/migrations");

// The table of the Supabase CLI, so that `supabase db push` and this file see the same history.
const history = `
  create schema if not exists supabase_migrations;
  create table if not exists supabase_migrations.schema_migrations (
    version text primary key, statements text[], name text
  );
  grant usage on schema supabase_migrations to authenticator;
  grant select on supabase_migrations.schema_migrations to authenticator;`;

const attempts = 10;

/** Takes a folder (supabase/migrations unless told), returns its migrations in the order of their versions. */
export async function readMigrations(folder: string = migrationsFolder): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => /^\d+_.+\.sql$/.test(file)).sort();
  return Promise.all(
    files.map(async (file) => {
      const [version = "", ...name] = file.replace(/\.sql$/, "").split("_");
      return { version, name: name.join("_"), sql: await readFile(path.join(folder, file), "utf8") };
    }),
  );
}

/**
 * Takes a connection of the database's owner, brings the database up to date: base.sql where it changed, then the
 * migrations that are not recorded. Returns the versions that it applied. Of any number of processes that start at
 * once one applies them all, and the others wait for it under an advisory lock. Each migration is applied whole or
 * not at all; where one fails, those before it stay. Throws what PostgreSQL says about a statement that fails.
 */
export async function migrate(client: pg.ClientBase, migrations?: Migration[]): Promise<string[]> {
  await applyBase(client);
  const wanted = migrations ?? (await readMigrations());
  // Most starts have nothing to do, and need not wait for anybody.
  if ((await pending(client, wanted)).length === 0) return [];
  const { applied, failure } = await locked(client, async () =>
    applyAll(client, await pending(client, wanted)),
  );
  if (failure) throw failure.error;
  return applied;
}

/** Takes a connection under the lock and migrations, applies one after the other until one fails. */
async function applyAll(client: pg.ClientBase, migrations: Migration[]) {
  const applied: string[] = [];
  for (const migration of migrations) {
    await client.query("savepoint migration");
    try {
      await apply(client, migration);
    } catch (error) {
      await client.query("rollback to savepoint migration");
      return { applied, failure: { error } };
    }
    applied.push(migration.version);
  }
  return { applied };
}

/** Takes a connection, returns the migrations that the database does not know yet. */
export async function pending(client: pg.ClientBase, migrations: Migration[]): Promise<Migration[]> {
  const known = await client.query<{ version: string }>(
    "select version from supabase_migrations.schema_migrations",
  );
  const versions = new Set(known.rows.map((row) => row.version));
  return migrations.filter((migration) => !versions.has(migration.version));
}

/** Takes a connection and what to do, does it in one transaction under the lock that all processes share. */
export async function locked<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query("begin");
  try {
    await takeLock(client);
    const result = await work();
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

/**
 * Takes a connection within a transaction, waits for the lock that all processes share. Held by the transaction and not
 * by the session: it also works through a pooler, and ends with a crash.
 */
export async function takeLock(client: pg.ClientBase): Promise<void> {
  await client.query("select pg_advisory_xact_lock(hashtextextended('techfolio', 0))");
}

/** What stands under the migrations. */
export interface Base {
  version: number;
  mark: string;
  sql: string;
}

/** base.sql is recorded as the comment of schema auth: most starts have nothing to do. */
async function applyBase(client: pg.ClientBase): Promise<void> {
  const base = await readBase();
  for (let attempt = 1; await isOlder(client, base); attempt++) {
    try {
      await locked(client, async () => {
        if (!(await isOlder(client, base))) return;
        await client.query(baseScript(base));
      });
    } catch (error) {
      if (!isRoleConflict(error) || attempt === attempts) throw error;
    }
  }
}

/** Takes the base, returns the statements that bring it, its mark included, into an empty or older database. */
export function baseScript({ sql, mark }: Base): string {
  return `${sql}\n${history}\ncomment on schema auth is '${mark}';\n`;
}

/** Returns the base that this release brings. */
export async function readBase(): Promise<Base> {
  const sql = await readFile(baseFile, "utf8");
  const version = Number(/^-- Version (\d+)\./.exec(sql)?.[1]);
  const hash = createHash("sha256").update(sql).digest("hex");
  return { version, mark: `Techfolio base ${version} ${hash}`, sql };
}

/** Takes a connection, returns version and mark of the base that the database has; version 0 where there is none. */
export async function appliedBase(client: pg.ClientBase): Promise<Pick<Base, "version" | "mark">> {
  const answer = await client.query<{ mark: string | null }>(
    "select obj_description(oid, 'pg_namespace') as mark from pg_namespace where nspname = 'auth'",
  );
  const mark = answer.rows[0]?.mark ?? "";
  return { version: Number(/^Techfolio base (\d+) /.exec(mark)?.[1] ?? 0), mark };
}

/** Whether the database has an older base, or another one of the same version. */
async function isOlder(client: pg.ClientBase, base: Base): Promise<boolean> {
  const { version, mark } = await appliedBase(client);
  return version < base.version || (version === base.version && mark !== base.mark);
}

/**
 * Roles belong to the whole server and the lock to one database: a second site on the same server may make them
 * in the same moment. Unique violation, duplicate object, and 'tuple concurrently updated', which has no code.
 */
function isRoleConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && ["23505", "42710", "XX000"].includes(error.code ?? "");
}

async function apply(client: pg.ClientBase, { version, name, sql }: Migration): Promise<void> {
  await client.query(sql);
  await client.query(
    "insert into supabase_migrations.schema_migrations (version, statements, name) values ($1, $2, $3)",
    [version, [sql], name],
  );
}
