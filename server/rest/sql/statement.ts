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
  /** More JSON than one response may carry: then there is no body. */
  isTooLarge: boolean;
  /** How many rows there are on all pages, if it was asked. */
  total: number | null;
}

/** What one response may carry (docs/decisions/011). */
const MAX_BYTES = sql.lit(25 * 1024 * 1024);

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

/**
 * Adds up the JSON of rows as it goes: `json`, and the `bytes` up to and including it. `offset 0` keeps the planner
 * from making each row's JSON twice.
 */
export function toSizedRows(rows: Sql, json: Sql = sql`row_to_json(r)`): Sql {
  return sql`select json, sum(octet_length(json::text)) over (rows unbounded preceding) as bytes
    from (select ${json} as json from (${rows}) as r offset 0) as r`;
}

/** What is larger than that never stands in PostgreSQL's memory, nor in ours, as a whole. */
export function toList(): Sql {
  return sql`coalesce(json_agg(json) filter (where bytes - octet_length(json::text) <= ${MAX_BYTES}), '[]')`;
}

interface ResultParts {
  rows: Sql;
  shape: Shape | "none";
  /** The JSON of one row `r`. */
  json?: Sql;
  /** Further columns. */
  more: Sql;
}

/** The statement that yields a `Result`. */
export function toResult({ rows, shape, json, more }: ResultParts): Sql {
  if (shape === "none") {
    return sql`select null::text as body, count(*)::int as rows, false as "isTooLarge", ${more} from (${rows}) as r`;
  }
  const body = shape === "object" ? sql`${toList()} -> 0` : toList();
  return sql`select case when coalesce(max(bytes), 0) <= ${MAX_BYTES} then (${body})::text end as body,
    count(*)::int as rows, coalesce(max(bytes), 0) > ${MAX_BYTES} as "isTooLarge", ${more}
    from (${toSizedRows(rows, json)}) as r`;
}
