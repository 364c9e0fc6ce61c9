import { commandLine } from "../../config/command-line.ts";
import { OperatorError } from "../../config/operator-error.ts";

const TITLE = "-- Techfolio backup, format 2";
export const END = "-- End of the Techfolio backup";
/** For psql: the rows are loaded without the triggers that keep the searches and the counts of bytes up to date. */
export const REBUILD = "do $$ begin perform private.rebuild_derived(); end $$;";
/** The line that ends a table's rows in COPY's text format. */
export const END_OF_ROWS = "\\.";

/**
 * Returns a dump's first lines. They contain the commands that psql runs before it loads the rows. One of them disables
 * triggers and foreign-key checks, as Supabase's guide "Backup and Restore using the CLI" does.
 */
export function headLines(migration: string): string[] {
  return [
    TITLE,
    `-- Schema: migration ${migration}`,
    `-- To load it into an empty DATA_DIR or database: ${commandLine("restore", "FILE")}`,
    "-- To load it into a database with this schema but no accounts, such as a Supabase project (--without-pictures):",
    "-- psql --file FILE ADDRESS",
    "\\set ON_ERROR_STOP on",
    "begin;",
    // Don't mix two sites: rows whose ids and email addresses don't conflict would be added to those of the other site.
    "do $$ begin if exists (select from auth.users) then raise 'The database already has accounts.'; end if; end $$;",
    "set local statement_timeout = 0;",
    "set local client_encoding = 'UTF8';",
    "set local session_replication_role = replica;",
    "",
  ];
}

/** Returns the migration that the first two lines of a dump name. Throws OperatorError if they are not from a dump. */
export function readHead(title: string, schema: string): string {
  const migration = /^-- Schema: migration (\d+)$/.exec(schema)?.[1];
  if (title === TITLE && migration !== undefined) return migration;
  throw new OperatorError("The file is not a backup that this release can read: nothing was restored.");
}

export function copyStatement(table: string, columns: string): string {
  return `copy ${table} (${columns}) from stdin;`;
}

/** All other tables in schema `private` contain computed rows or configure functions. */
const COPY =
  /^copy ((auth|public|storage)\.[a-z_]+|private\.invitation_(links|emails)) \([\w", ]+\) from stdin;$/;

/**
 * Returns the line if it is a COPY statement as this module writes it, and undefined if it isn't a COPY statement.
 * Throws OperatorError for other COPY statements. `npm run restore` executes no other statements from the file, so a
 * manipulated dump can't run other SQL there.
 */
export function parseCopyStatement(line: string): string | undefined {
  if (!line.startsWith("copy ")) return undefined;
  if (COPY.test(line)) return line;
  throw new OperatorError(`The backup cannot be loaded (${line}): nothing was restored.`);
}
