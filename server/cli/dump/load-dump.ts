import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { CommandError } from "../command-error.ts";
import { announcedCopy, END, END_OF_ROWS } from "./dump-format.ts";
import { DUMPED_TABLES } from "./dumped-tables.ts";

type Lines = AsyncIterator<Buffer>;

// Rows go in as they were: no trigger makes a profile or sets a time, and the owner is not held back.
const OPEN = `set local statement_timeout = 0; set local lock_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;
  ${alterEach("disable trigger user", "no force row level security")}`;
const CLOSE = `${alterEach("enable trigger user", "force row level security")}
  select setval(pg_get_serial_sequence('auth.refresh_tokens', 'id'), max(id)) from auth.refresh_tokens`;

function alterEach(triggers: string, security: string): string {
  return DUMPED_TABLES.map(
    (table) => `alter table ${table} ${triggers}${table.startsWith("public.") ? `, ${security}` : ""};`,
  ).join("\n");
}

/** In the current transaction, as the owner. Throws CommandError, or what PostgreSQL says. */
export async function load(client: pg.Client, lines: Lines): Promise<void> {
  await client.query(OPEN);
  let last = "";
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    last = line.value.toString();
    const copy = announcedCopy(last);
    if (copy !== undefined) await pipeline(Readable.from(rows(lines)), client.query(copyFrom(copy)));
  }
  if (last !== END) throw incomplete();
  await client.query(CLOSE);
}

async function* rows(lines: Lines): AsyncGenerator<Buffer> {
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    if (line.value.length === END_OF_ROWS.length && line.value.toString() === END_OF_ROWS) return;
    yield Buffer.concat([line.value, Buffer.from("\n")]);
  }
  throw incomplete();
}

function incomplete(): CommandError {
  return new CommandError("The backup is not complete, its end is missing: nothing was restored.");
}
