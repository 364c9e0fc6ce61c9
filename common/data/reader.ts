import type { Database } from "./database-types.ts";
import type { Row, TableName } from "./schema.ts";

/** A condition, or several conditions. At least one of them must be true. */
export type Filter<Column extends string = string> =
  | { column: Column; test: "eq" | "neq" | "lte"; value: string | boolean }
  | { column: Column; test: "in"; values: readonly string[] }
  | { column: Column; test: "is null" | "is not null" }
  | { anyOf: readonly Filter<Column>[] };

/** A column in ascending order, with nulls last, or one with its direction. In descending order, nulls are first by default. */
export type Order<Column extends string = string> =
  | Column
  | { column: Column; descending: true; nullsLast?: boolean };

/** A read of a table's rows as plain data, so that each backend can execute it in its own way. */
export interface TableRead<Column extends string = string> {
  table: string;
  /** `["*"]` selects all columns. */
  columns: readonly Column[];
  /** More columns, under other names. */
  renamed?: Record<string, Column>;
  /** Adds `profiles` with the names of the row's owner (`Authored`). */
  withAuthor?: boolean;
  filters?: readonly Filter<Column>[];
  order?: readonly Order<Column>[];
  limit?: number;
  offset?: number;
  /** Whether to count all rows that match the filters. */
  wantsCount?: boolean;
}

type Functions = Database["public"]["Functions"];

/** A call of a database function that only reads. */
export type FunctionCall = {
  [Name in keyof Functions]: { function: Name; arguments: Functions[Name]["Args"] };
}[keyof Functions];

/** Reads public data. All functions throw ReadError. */
export interface DataReader {
  read<Row>(read: TableRead): Promise<{ rows: Row[]; count: number | null }>;
  call<Row>(call: FunctionCall): Promise<Row[]>;
}

/** A read that the backend rejected, or that failed. `code` is PostgreSQL's or PostgREST's, if there is one. */
export class ReadError extends Error {
  override readonly name = "ReadError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(`${code || "no code"}: ${message}`);
    this.code = code;
  }
}

/** The columns that `withAuthor` adds. */
export const AUTHOR_COLUMNS = ["username", "full_name"] as const;

/** Reads from a table that is known when the code is written, so that the compiler checks the columns. */
export async function readRows<Table extends TableName, Column extends keyof Row<Table> & string>(
  reader: DataReader,
  table: Table,
  columns: readonly Column[],
  rest: Omit<TableRead<keyof Row<Table> & string>, "table" | "columns">,
): Promise<Pick<Row<Table>, Column>[]> {
  return (await reader.read<Pick<Row<Table>, Column>>({ table, columns, ...rest })).rows;
}

/** Hosted Supabase returns at most this many rows per read, unless the project has another limit. */
export const ROWS_PER_READ = 1000;

interface ReadResult<Row> {
  data: Row[] | null;
  error: { message: string; code?: string } | null;
}

/** Returns the rows of a result. Throws ReadError if the read failed. */
export function rowsOf<Row>({ data, error }: ReadResult<Row>): Row[] {
  if (error) throw new ReadError(error.code ?? "", error.message);
  return data ?? [];
}

/** PostgreSQL's error code program_limit_exceeded. The built-in data API returns it for responses above 8 MiB. */
export const TOO_LARGE = "54000";

/**
 * Reads up to `count` rows. If the response is too large, tries again with half as many rows. Returns the rows and the
 * last count.
 */
export async function readFitting<Row>(
  count: number,
  read: (count: number) => Promise<Row[]>,
): Promise<{ rows: Row[]; count: number }> {
  try {
    return { rows: await read(count), count };
  } catch (error) {
    if (!(error instanceof ReadError && error.code === TOO_LARGE) || count <= 1) throw error;
    return readFitting(Math.ceil(count / 2), read);
  }
}

/**
 * Reads `count` rows, or all if there are fewer. If one response would be too large, reads them in several.
 *
 * @param read reads up to `limit` rows that follow the rows in `previous`
 */
export async function readInParts<Row>(
  count: number,
  read: (limit: number, previous: Row[]) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  while (rows.length < count) {
    const part = await readFitting(count - rows.length, (limit) => read(limit, rows));
    rows.push(...part.rows);
    if (part.rows.length < part.count) break;
  }
  return rows;
}
