import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { OperatorError } from "../../server/config/operator-error.ts";
import { createSchema, editedMigrations, migrate, readMigrations } from "../../server/postgres/migrations.ts";
import { startExternalServer } from "../support/external-server.ts";
import { hurryClock } from "../support/hurry-clock.ts";

const server = await startExternalServer();
afterAll(() => server.stop());

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

async function history(client: pg.Client): Promise<unknown[]> {
  const { rows } = await client.query(
    "select version, name, statements from supabase_migrations.schema_migrations order by version",
  );
  return rows;
}

// Must run first, while the server lacks Techfolio's roles, so that all six calls try to create them.
test("six new databases on one server can be migrated at the same time", async () => {
  const urls = await Promise.all([1, 2, 3, 4, 5, 6].map(() => server.createDatabase()));
  const clients = await Promise.all(urls.map(connect));
  const versions = (await readMigrations()).map(({ version }) => version);
  expect(await Promise.all(clients.map((client) => migrate(client)))).toEqual(urls.map(() => versions));
});

test("an applied migration is recorded in the Supabase CLI's format and not applied again", async () => {
  const client = await connect(await server.createDatabase());
  const migrations = await readMigrations();
  expect(migrations.length).toBeGreaterThan(0);
  expect(await migrate(client)).toEqual(migrations.map(({ version }) => version));
  expect(await history(client)).toEqual(
    migrations.map(({ version, name, sql }) => ({ version, name, statements: [sql] })),
  );
  expect(await migrate(client)).toEqual([]);
});

test("migration versions are unique 14-digit timestamps in ascending order", async () => {
  const versions = (await readMigrations()).map(({ version }) => version);
  expect(versions.filter((version) => !/^\d{14}$/.test(version))).toEqual([]);
  expect([...new Set(versions)].sort()).toEqual(versions);
});

test("two migrations with the same version are an error that names the version", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "techfolio-migrations-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of ["20260101000000_a.sql", "20260102000000_b.sql", "20260102000000_c.sql"]) {
    await writeFile(path.join(folder, name), "select 1");
  }
  await expect(readMigrations(folder)).rejects.toThrow(
    new OperatorError(
      `Two migrations have the version 20260102000000: give one of the files in ${folder} another version.`,
    ),
  );
  await rm(path.join(folder, "20260102000000_c.sql"));
  expect(await readMigrations(folder)).toHaveLength(2);
});

test("a failing migration is rolled back, and earlier ones stay applied", async () => {
  const client = await connect(await server.createDatabase());
  const good = { version: "1", name: "good", sql: "create table public.good (id int)" };
  const bad = { version: "2", name: "bad", sql: "create table public.bad (id int); select 1 / 0;" };
  await expect(migrate(client, [good, bad])).rejects.toThrow("division by zero");
  const { rows } = await client.query(
    "select to_regclass('public.good') is not null as good, to_regclass('public.bad') is not null as bad",
  );
  expect(rows).toEqual([{ good: true, bad: false }]);
  expect(await history(client)).toMatchObject([{ version: "1" }]);
  expect(await migrate(client, [good, { ...bad, sql: "create table public.bad (id int)" }])).toEqual(["2"]);
});

test("a migration is rolled back if its connection is lost", async () => {
  const url = await server.createDatabase();
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  const sql = "create table public.half (id int); select pg_terminate_backend(pg_backend_pid());";
  await expect(migrate(client, [{ version: "1", name: "half", sql }])).rejects.toThrow(
    "terminating connection",
  );
  const next = await connect(url);
  expect(await history(next)).toEqual([]);
  const { rows } = await next.query("select to_regclass('public.half') as half");
  expect(rows).toEqual([{ half: null }]);
});

test("when four clients migrate the same database at once, each migration is applied once", async () => {
  const url = await server.createDatabase();
  const clients = await Promise.all([1, 2, 3, 4].map(() => connect(url)));
  const applied = await Promise.all(clients.map((client) => migrate(client)));
  const versions = (await readMigrations()).map(({ version }) => version);
  expect(applied.flat().sort()).toEqual(versions);
});

/** Returns a client in a transaction that has read the table `items`, and a migration that needs this table for itself. */
async function readItems(url: string) {
  const reader = await connect(url);
  await reader.query("create table public.items (id int)");
  await reader.query("begin; select * from public.items;");
  const sql =
    "lock table public.items in access exclusive mode; alter table public.items add column title text;";
  return { reader, migration: { version: "1", name: "title", sql } };
}

test("while a migration waits for a lock, other requests for the table pass", async () => {
  const url = await server.createDatabase();
  const { reader, migration } = await readItems(url);
  const client = await connect(url);
  const migrated = migrate(client, [migration]);
  const waiting = await connect(url);
  await expect
    .poll(
      async () => {
        const { rows } = await waiting.query(
          "select from pg_locks where not granted and relation = 'items'::regclass",
        );
        return rows.length;
      },
      { interval: 10, timeout: 10_000 },
    )
    .toBe(1);
  expect((await waiting.query("select * from public.items")).rows).toEqual([]);
  await reader.query("commit");
  expect(await migrated).toEqual(["1"]);
});

test("a migration that cannot lock a table for a minute changes nothing and names the remedy", async () => {
  hurryClock();
  const url = await server.createDatabase();
  const { reader, migration } = await readItems(url);
  const client = await connect(url);
  await expect(migrate(client, [migration])).rejects.toThrow(
    new OperatorError(
      "The upgrade can't lock a table that another session has used for a minute: end that session's transaction, then start again.",
    ),
  );
  await reader.query("commit");
  expect(await migrate(client, [migration])).toEqual(["1"]);
});

test("migrate updates an older base schema without deleting accounts, and leaves a newer one unchanged", async () => {
  const client = await connect(await server.createDatabase());
  await migrate(client);
  await client.query("insert into auth.users (id, email) values (gen_random_uuid(), 'kept@example.com')");
  await client.query("comment on schema auth is 'Techfolio base 0 x'; drop function auth.email()");
  await migrate(client);
  const restored = await client.query("select to_regprocedure('auth.email()') as email");
  expect(restored.rows).toEqual([{ email: "auth.email()" }]);
  const users = await client.query("select email from auth.users");
  expect(users.rows).toEqual([{ email: "kept@example.com" }]);

  await client.query("comment on schema auth is 'Techfolio base 1000 x'; drop function auth.email()");
  await migrate(client);
  const { rows } = await client.query("select to_regprocedure('auth.email()') as email");
  expect(rows).toEqual([{ email: null }]);
});

test("a database with a migration older than the first one is rejected with instructions for moving its content", async () => {
  const client = await connect(await server.createDatabase());
  await migrate(client);
  await client.query("insert into supabase_migrations.schema_migrations (version) values ('20260101000000')");
  await expect(migrate(client)).rejects.toThrow(
    "save its content with npm run backup -- FILE, and load it into an empty DATA_DIR or DATABASE_URL with npm run restore -- FILE.",
  );
});

test("a migration that was edited after the database had run it is named, and those of the Supabase CLI are not", async () => {
  const client = await connect(await server.createMigratedDatabase());
  const [first, second, ...others] = await readMigrations();
  if (first === undefined || second === undefined) throw new Error("There are fewer than two migrations");
  expect(await editedMigrations(client, [first, second, ...others])).toEqual([]);
  const isOfCli = `update supabase_migrations.schema_migrations set statements = '{select 1,select 2}' where version = $1`;
  await client.query(isOfCli, [first.version]);
  const edited = { ...second, sql: `${second.sql}\nselect 1;` };
  expect(await editedMigrations(client, [first, edited, ...others])).toEqual([
    `${second.version}_${second.name}.sql`,
  ]);
});

test.each([
  { schema: "the current schema", create: migrate },
  {
    schema: "the schema into which a restore loads the oldest backup",
    create: (client: pg.Client) => createSchema(client, "0"),
  },
])("no function's body depends on a column in $schema", async ({ create }) => {
  const client = await connect(await server.createDatabase());
  await create(client);
  const { rows } = await client.query(
    `select oid::regprocedure::text as name from pg_proc
     where pronamespace in ('public'::regnamespace, 'private'::regnamespace) and prosqlbody is not null`,
  );
  expect(rows).toEqual([]);
});

// PostgreSQL 15.20 rejects this if the body of a function depends on a column with the domain.
test("every domain's check can be removed and added again while there are functions that read its columns", async () => {
  const client = await connect(await server.createMigratedDatabase());
  const { rows } = await client.query<{ domain: string; name: string; check: string }>(
    `select contypid::regtype::text as domain, conname as name, pg_get_constraintdef(oid) as check
     from pg_constraint where contypid <> 0 and connamespace = 'public'::regnamespace`,
  );
  expect(rows.map(({ domain }) => domain)).toContain("short_text");
  for (const { domain, name, check } of rows) {
    await client.query(`alter domain ${domain} drop constraint ${name}`);
    await client.query(`alter domain ${domain} add constraint ${name} ${check}`);
  }
});
