import { Kysely, PostgresDialect, type RawBuilder } from "kysely";
import type { QueryConfig } from "pg";

export type Sql = RawBuilder<unknown>;

const compiler = new Kysely<never>({
  dialect: new PostgresDialect({ pool: () => Promise.reject(new Error("Kysely does not connect")) }),
});

/**
 * Leaves the statement unnamed. A name would refer to a statement that is prepared on one connection, but a pooler in
 * transaction mode may use another connection the next time.
 */
export function compile(composed: Sql): QueryConfig {
  const { sql: text, parameters } = composed.compile(compiler);
  return { text, values: [...parameters] };
}
