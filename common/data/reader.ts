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
