import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { OperatorError } from "../../config/operator-error.ts";
import { readMigrations } from "../../postgres/migrations.ts";
import { copyStatement, END, END_OF_ROWS, headLines, REBUILD } from "./dump-format.ts";
import { type DumpedTable, type DumpParts, describeTables } from "./dumped-tables.ts";

export type Counts = Map<string, number>;

// As in pg_dump, all tables are read in one snapshot without timeouts, and in a format that a restore on any server can
// read, regardless of the database's own settings.
const READ_SETTINGS = `begin isolation level repeatable read read only;
  set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0;
  set local datestyle = 'ISO'; set local timezone = 'UTC'`;

/** Dumps a consistent snapshot, and stores each table's number of rows in `counts`. Throws OperatorError. */
export async function* dump(client: pg.Client, parts: DumpParts, counts: Counts): AsyncGenerator<Buffer> {
  await client.query(READ_SETTINGS);
  const tables = await describeTables(client, parts);
  yield text(...headLines(await lastMigration(client)));
  for (const table of tables) yield* rowsOf(client, table, counts);
  yield text(REBUILD, "commit;", END);
  await client.query("commit");
}

async function lastMigration(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ version: string }>(
    "select version from supabase_migrations.schema_migrations order by version",
  );
  const migrations = (await readMigrations()).map(({ version }) => version);
  // Ignore migrations that are older than this release's first one, which includes their changes.
  const unknown = rows.find(
    ({ version }) => version > (migrations[0] ?? "") && !migrations.includes(version),
  );
  if (unknown === undefined) return rows.at(-1)?.version ?? "0";
  throw new OperatorError(
    `The database has the migration ${unknown.version}, which this release of Techfolio does not have: make the backup with the newer release that added it.`,
  );
}

async function* rowsOf(client: pg.Client, { name, columns }: DumpedTable, counts: Counts) {
  yield text(copyStatement(name, columns));
  const copy = client.query(copyTo(`copy ${name} (${columns}) to stdout`));
  for await (const chunk of copy) yield chunk as Buffer;
  counts.set(name, copy.rowCount);
  yield text(END_OF_ROWS, "");
}

function text(...lines: string[]): Buffer {
  return Buffer.from(`${lines.join("\n")}\n`);
}
