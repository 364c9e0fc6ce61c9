import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { CommandError } from "../command-error.ts";
import { announcesRows, end, endOfRows, stopOnError } from "./dump-format.ts";

type Lines = AsyncIterator<Buffer>;

/** The dump's own last statement commits. Throws CommandError, or what PostgreSQL says. */
export async function load(client: pg.Client, lines: Lines): Promise<void> {
  let statements: string[] = [];
  let last = "";
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    const text = line.value.toString();
    if (announcesRows(text)) {
      await client.query(statements.join("\n"));
      statements = [];
      await pipeline(Readable.from(rows(lines)), client.query(copyFrom(text)));
    } else if (text !== stopOnError) {
      statements.push(text);
    }
    if (text !== "") last = text;
  }
  if (last !== end) throw incomplete();
  await client.query(statements.join("\n"));
}

async function* rows(lines: Lines): AsyncGenerator<Buffer> {
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    if (line.value.length === endOfRows.length && line.value.toString() === endOfRows) return;
    yield Buffer.concat([line.value, Buffer.from("\n")]);
  }
  throw incomplete();
}

function incomplete(): CommandError {
  return new CommandError("The backup is not complete, its end is missing: nothing was restored.");
}
