import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from "kysely";
import type pg from "pg";
import type { Shape } from "../parse/accept.ts";
import type { Sql } from "./conditions.ts";

/** A statement ready to be sent. */
export interface Statement {
  text: string;
  values: unknown[];
}

/** What every statement returns: one row, with the JSON that PostgreSQL made of the rows. */
export interface Result {
  body: string | null;
  /** How many rows are in the body. */
  rows: number;
  /** How many rows there are on all pages, if it was asked. */
  total: number | null;
}

// Kysely composes and compiles; the connection is not its business.
const compiler = new Kysely<never>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** Takes composed SQL, returns its text with `$1`, `$2` … and the parameters. */
export function compile(composed: RawBuilder<unknown>): Statement {
  const { sql: text, parameters } = composed.compile(compiler);
  return { text, values: [...parameters] };
}

/**
 * Takes a connection and a statement that yields exactly one row, returns that row. Throws what pg throws.
 * The statement has no name: behind a pooler in transaction mode another connection would not know it.
 */
export async function run<Row extends object>(client: pg.PoolClient, statement: Statement): Promise<Row> {
  return onlyRow(await client.query<Row>(statement));
}

/** Takes the answer to a statement that yields exactly one row, returns that row. */
export function onlyRow<Row extends object>(answer: pg.QueryResult<Row> | undefined): Row {
  const [row] = answer?.rows ?? [];
  if (row === undefined) throw new Error("The statement returned no row");
  return row;
}

/** Takes how rows are to be sent, returns the aggregate over rows named `r` that makes their JSON. */
export function toJson(shape: Shape): Sql {
  return shape === "object" ? sql`(json_agg(r) -> 0)::text` : sql`coalesce(json_agg(r), '[]')::text`;
}
