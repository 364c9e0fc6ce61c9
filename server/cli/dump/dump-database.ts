import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { OperatorError } from "../../config/operator-error.ts";
import { readMigrations } from "../../postgres/migrations.ts";
import { announceRows, END, END_OF_ROWS, headLines } from "./dump-format.ts";
import { type DumpedTable, type DumpParts, describeTables } from "./dumped-tables.ts";

export type Counts = Map<string, number>;

// Fixes the format of values, whatever the server's or the login's settings (same as pg_dump).
const READ_SETTINGS = `begin isolation level repeatable read read only;
  set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0;
  set local datestyle = 'ISO'; set local timezone = 'UTC'`;

/** Dumps the rows of one consistent snapshot and fills `counts`. Needs the owner's connection. Throws OperatorError. */
export async function* dump(client: pg.Client, parts: DumpParts, counts: Counts): AsyncGenerator<Buffer> {
  await client.query(READ_SETTINGS);
  const tables = await describeTables(client, parts);
  yield text(...headLines(await lastMigration(client)));
  for (const table of tables) yield* rowsOf(client, table, counts);
  yield text("commit;", END);
  await client.query("commit");
}

async function lastMigration(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ version: string }>(
    "select version from supabase_migrations.schema_migrations order by version",
  );
  const migrations = (await readMigrations()).map(({ version }) => version);
  // Migrations older than the first of this release are part of it: a restore loads their rows.
  const unknown = rows.find(
    ({ version }) => version > (migrations[0] ?? "") && !migrations.includes(version),
  );
  if (unknown === undefined) return rows.at(-1)?.version ?? "0";
  throw new OperatorError(
    `The database has the migration ${unknown.version}, which this release of Techfolio does not know: back it up with the release that serves it.`,
  );
}

async function* rowsOf(client: pg.Client, { name, columns }: DumpedTable, counts: Counts) {
  yield text(announceRows(name, columns));
  const copy = client.query(copyTo(`copy ${name} (${columns}) to stdout`));
  for await (const chunk of copy) yield chunk as Buffer;
  counts.set(name, copy.rowCount);
  yield text(END_OF_ROWS, "");
}

function text(...lines: string[]): Buffer {
  return Buffer.from(`${lines.join("\n")}\n`);
}
