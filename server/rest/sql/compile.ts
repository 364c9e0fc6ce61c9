import { Kysely, PostgresDialect, type RawBuilder } from "kysely";
import type { QueryConfig } from "pg";

export type Sql = RawBuilder<unknown>;

const compiler = new Kysely<never>({
  dialect: new PostgresDialect({ pool: () => Promise.reject(new Error("Kysely does not connect")) }),
});

/** Statements have no names: behind a pooler in transaction mode another connection would not know them. */
export function compile(composed: Sql): QueryConfig {
  const { sql: text, parameters } = composed.compile(compiler);
  return { text, values: [...parameters] };
}
