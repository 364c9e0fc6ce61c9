import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";

export interface Migration {
  version: string;
  name: string;
  sql: string;
}

const ROOT = path.join(import.meta.dirname, "../..");
const BASE_FILE = path.join(import.meta.dirname, "base.sql");
const MIGRATIONS_FOLDER = path.join(ROOT, "supabase/migrations");

const HISTORY = `
  create schema if not exists supabase_migrations;
  create table if not exists supabase_migrations.schema_migrations (
    version text primary key, statements text[], name text
  );
  grant usage on schema supabase_migrations to authenticator;
  grant select on supabase_migrations.schema_migrations to authenticator;`;

const MOST_ATTEMPTS = 10;

export async function readMigrations(folder: string = MIGRATIONS_FOLDER): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => /^\d+_.+\.sql$/.test(file)).sort();
  return Promise.all(
    files.map(async (file) => {
      const [version = "", ...name] = file.replace(/\.sql$/, "").split("_");
      return { version, name: name.join("_"), sql: await readFile(path.join(folder, file), "utf8") };
    }),
  );
}

/** As the owner. Each migration is applied whole or not at all; those before a failed one stay. */
export async function migrate(client: pg.ClientBase, migrations?: Migration[]): Promise<string[]> {
  await applyBase(client);
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
    await client.query("rollback");
    throw error;
  }
}

/** Held by the transaction, not the session, so that it works through a pooler and ends with a crash. */
export async function takeLock(client: pg.ClientBase): Promise<void> {
  await client.query("select pg_advisory_xact_lock(hashtextextended('techfolio', 0))");
}

interface Base {
  version: number;
  mark: string;
  sql: string;
}

/** In the current transaction, for rows of that time. Later migrations are the next start's. */
export async function makeSchema(client: pg.ClientBase, last: string): Promise<void> {
  await client.query(baseScript(await readBase()));
  for (const migration of await readMigrations())
    if (migration.version <= last) await apply(client, migration);
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
      if (!isRoleConflict(error) || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

function baseScript({ sql, mark }: Base): string {
  return `${sql}\n${HISTORY}\ncomment on schema auth is '${mark}';\n`;
}

export async function readBase(): Promise<Base> {
  const sql = await readFile(BASE_FILE, "utf8");
  const version = Number(/^-- Version (\d+)\./.exec(sql)?.[1]);
  const hash = createHash("sha256").update(sql).digest("hex");
  return { version, mark: `Techfolio base ${version} ${hash}`, sql };
}

async function isOlder(client: pg.ClientBase, base: Base): Promise<boolean> {
  const answer = await client.query<{ mark: string | null }>(
    "select obj_description(oid, 'pg_namespace') as mark from pg_namespace where nspname = 'auth'",
  );
  const mark = answer.rows[0]?.mark ?? "";
  const version = Number(/^Techfolio base (\d+) /.exec(mark)?.[1] ?? 0);
  return version < base.version || (version === base.version && mark !== base.mark);
}

/** Roles belong to the server, the lock to one database. XX000: 'tuple concurrently updated'. */
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
