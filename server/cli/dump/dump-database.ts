import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { appliedBase, baseScript, readBase, readMigrations } from "../../postgres/migrations.ts";
import { seedMark } from "../../postgres/seed.ts";
import { CommandError } from "../command-error.ts";
import { announcesRows, copyFromStatement, end, endOfRows, headLines, stopOnError } from "./dump-format.ts";
import { readTables, type Table } from "./dumped-tables.ts";

export interface DumpOptions {
  /** Include sessions and refresh tokens: for a move after which nobody has to sign in again. */
  withSessions: boolean;
  forSupabase: boolean;
}

export type Counts = Map<string, number>;

// The form of values is the same whatever the server or the login is set to (as pg_dump has it).
const READ_SETTINGS = `begin isolation level repeatable read read only;
  set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0;
  set local datestyle = 'ISO'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
  set local extra_float_digits = 3; set local bytea_output = 'hex'; set local xmlbinary = 'base64'`;
const LOAD_SETTINGS = `begin;
set local statement_timeout = 0;
set local lock_timeout = 0;
set local idle_in_transaction_session_timeout = 0;
set local client_encoding = 'UTF8';
set local standard_conforming_strings = on;
set local datestyle = 'ISO, DMY';
set local intervalstyle = 'postgres';
set local timezone = 'UTC';
`;

/** As the owner: one consistent snapshot as plain SQL, for psql as well. Fills `counts`. Throws CommandError. */
export async function* dump(client: pg.Client, options: DumpOptions, counts: Counts): AsyncGenerator<Buffer> {
  await client.query(READ_SETTINGS);
  const tables = await readTables(client, options.withSessions);
  yield* options.forSupabase
    ? dumpForSupabase(client, tables.filter(isTakenBySupabase), counts)
    : dumpWhole(client, tables, counts);
  await client.query("commit");
}

async function* dumpWhole(client: pg.Client, tables: Table[], counts: Counts): AsyncGenerator<Buffer> {
  const { head, schema } = await readSchema(client);
  yield text(...headLines(head), "", stopOnError, LOAD_SETTINGS, schema);
  // Rows go in as they were: no trigger makes a profile or sets a time, and the owner is not held back.
  yield text(...tables.map(({ sql, forced }) => `alter table ${sql} ${open(forced)};`), "");
  for (const table of tables) yield* rowsOf(client, table, counts);
  yield text(...tables.map(({ sql, forced }) => `alter table ${sql} ${close(forced)};`));
  yield text(...(await sequences(client, tables)), "commit;", end);
}

function open(forced: boolean): string {
  return `disable trigger user${forced ? ", no force row level security" : ""}`;
}

function close(forced: boolean): string {
  return `enable trigger user${forced ? ", force row level security" : ""}`;
}

// Of the accounts what Supabase's own guide moves; links that are under way are made by its own rules.
function isTakenBySupabase({ schema, name }: Table): boolean {
  return schema === "public" || (schema === "auth" && (name === "users" || name === "identities"));
}

async function* dumpForSupabase(client: pg.Client, tables: Table[], counts: Counts): AsyncGenerator<Buffer> {
  yield text(
    "-- Rows of a Techfolio site for a Supabase project that has its migrations and no account yet:",
    "-- psql --file FILE ADDRESS-OF-THE-PROJECT'S-DATABASE",
    "",
    stopOnError,
    LOAD_SETTINGS,
    // Triggers sleep, as in Supabase's guide 'Backup and Restore using the CLI'.
    "set local session_replication_role = replica;",
    "",
  );
  for (const table of tables) yield* rowsOf(client, table, counts);
  yield text("commit;", end);
}

/** The statements that made the schema: the base of this release, and the migrations as they are on record. */
async function readSchema(client: pg.Client) {
  const base = await readBase();
  const { version } = await appliedBase(client);
  if (version > base.version) throw newer(`base ${version}`);
  const applied = await readApplied(client);
  const migration = applied.at(-1)?.version ?? "0";
  const unknown = applied.find(({ sql }) => sql === undefined);
  if (unknown !== undefined) throw newer(`migration ${unknown.version}`);
  const schema = [baseScript(base), ...applied.map(({ sql }) => sql), await markOfSeed(client)].join("\n");
  if (schema.split("\n").some(announcesRows)) {
    throw new CommandError("A migration of this database copies rows from its own text: use pg_dump.");
  }
  return { head: { base: base.version, migration }, schema };
}

function newer(what: string): CommandError {
  return new CommandError(
    `The database has the ${what}, which this release of Techfolio does not know: back it up with the release that serves it.`,
  );
}

async function readApplied(client: pg.Client): Promise<{ version: string; sql: string | undefined }[]> {
  const { rows } = await client.query<{ version: string; statements: string[] | null }>(
    "select version, statements from supabase_migrations.schema_migrations order by version",
  );
  const files = new Map((await readMigrations()).map(({ version, sql }) => [version, sql]));
  return rows.map(({ version, statements }) => ({
    version,
    // Supabase's CLI records statement by statement, this server the whole file.
    sql: files.get(version) ?? statements?.map((statement) => `${statement};`).join("\n"),
  }));
}

/** Whether to load the demo community is decided once for a database (server/postgres/seed.ts). */
async function markOfSeed(client: pg.Client): Promise<string> {
  const mark = await seedMark(client);
  return mark === null ? "" : `comment on schema supabase_migrations is ${pg.escapeLiteral(mark)};`;
}

async function* rowsOf(client: pg.Client, table: Table, counts: Counts): AsyncGenerator<Buffer> {
  const columns = table.columns.join(", ");
  yield text(copyFromStatement(table.sql, columns));
  const copy = client.query(copyTo(`copy ${table.sql} (${columns}) to stdout`));
  for await (const chunk of copy) yield chunk as Buffer;
  counts.set(table.sql, copy.rowCount);
  yield text(endOfRows, "");
}

async function sequences(client: pg.Client, tables: Table[]): Promise<string[]> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('select setval(%L, %s);', format('%I.%I', n.nspname, s.relname),
       (select last_value from pg_sequences where schemaname = n.nspname and sequencename = s.relname)) as statement
     from pg_class s
     join pg_namespace n on n.oid = s.relnamespace
     join pg_depend d on d.objid = s.oid and d.deptype in ('a', 'i')
     where s.relkind = 'S' and d.refobjid = any ($1::text[]::regclass[])
       and (select last_value from pg_sequences where schemaname = n.nspname and sequencename = s.relname) is not null`,
    [tables.map(({ sql }) => sql)],
  );
  return rows.map(({ statement }) => statement);
}

function text(...lines: string[]): Buffer {
  return Buffer.from(`${lines.join("\n")}\n`);
}
