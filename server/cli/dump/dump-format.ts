import { OperatorError } from "../../config/operator-error.ts";

const TITLE = "-- Techfolio backup, format 2";
export const END = "-- End of the Techfolio backup";
/** The line after the rows of a table (PostgreSQL, 'COPY', text format). */
export const END_OF_ROWS = "\\.";

/** Lets psql load the rows. Triggers are disabled, as in Supabase's guide 'Backup and Restore using the CLI'. */
export function headLines(migration: string): string[] {
  return [
    TITLE,
    `-- Schema: migration ${migration}`,
    "-- Into an empty DATA_DIR or database: npm run restore -- FILE",
    "-- Into a database with this schema and no account, a Supabase project for example (then --without-pictures):",
    "-- psql --file FILE ADDRESS",
    "\\set ON_ERROR_STOP on",
    "begin;",
    // Rows with other ids and addresses would load and mix two communities.
    "do $$ begin if exists (select from auth.users) then raise 'The database has accounts already.'; end if; end $$;",
    "set local statement_timeout = 0;",
    "set local client_encoding = 'UTF8';",
    "set local session_replication_role = replica;",
    "",
  ];
}

/** Returns the migration named in the first two lines. Throws OperatorError. */
export function readHead(title: string, schema: string): string {
  const migration = /^-- Schema: migration (\d+)$/.exec(schema)?.[1];
  if (title === TITLE && migration !== undefined) return migration;
  throw new OperatorError(
    "The file is no backup that npm run backup of this release has written: nothing was restored.",
  );
}

export function announceRows(table: string, columns: string): string {
  return `copy ${table} (${columns}) from stdin;`;
}

/** Returns the COPY statement if the line starts a table's rows. No other SQL of a dump is executed. Throws OperatorError. */
export function announcedCopy(line: string): string | undefined {
  if (!line.startsWith("copy ")) return undefined;
  if (/^copy (auth|public|storage)\.[a-z_]+ \([\w", ]+\) from stdin;$/.test(line)) return line;
  throw new OperatorError(`The backup cannot be loaded (${line}): nothing was restored.`);
}
