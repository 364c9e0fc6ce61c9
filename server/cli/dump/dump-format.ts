import { CommandError } from "../command-error.ts";

export interface Head {
  base: number;
  migration: string;
}

const title = "-- Techfolio backup, format 1";
/** The last line of a complete dump. */
export const end = "-- End of the Techfolio backup";
/** Psql stops at the first error; `npm run restore` does so anyway and passes over this line. */
export const stopOnError = "\\set ON_ERROR_STOP on";
/** The line after the rows of a table (PostgreSQL, 'COPY', text format). */
export const endOfRows = "\\.";

export function headLines({ base, migration }: Head): string[] {
  return [
    title,
    `-- Schema: base ${base}, migration ${migration}`,
    "-- Into an empty database of PostgreSQL 15 or newer: npm run restore -- FILE, or psql --file FILE ADDRESS",
  ];
}

export function readHead([first, second]: string[]): Head {
  const [, base, migration] = /^-- Schema: base (\d+), migration (\d+)$/.exec(second ?? "") ?? [];
  if (first !== title || base === undefined || migration === undefined) {
    throw new CommandError(
      "The file is no backup that npm run backup has written for a site: nothing was restored.",
    );
  }
  return { base: Number(base), migration };
}

export function copyFromStatement(table: string, columns: string): string {
  return `copy ${table} (${columns}) from stdin;`;
}

export function announcesRows(line: string): boolean {
  return /^copy \S+ \(.*\) from stdin;$/.test(line);
}
