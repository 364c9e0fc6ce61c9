import { Kysely, PostgresDialect, type RawBuilder } from "kysely";
import type { QueryConfig } from "pg";

export type Sql = RawBuilder<unknown>;

const compiler = new Kysely<never>({
  dialect: new PostgresDialect({ pool: () => Promise.reject(new Error("Kysely does not connect")) }),
});

/** Statements are unnamed: a pooler in transaction mode may run the next one on another connection. */
export function compile(composed: Sql): QueryConfig {
  const { sql: text, parameters } = composed.compile(compiler);
  return { text, values: [...parameters] };
}
