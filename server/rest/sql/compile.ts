import { Kysely, PostgresDialect, type RawBuilder } from "kysely";

export type Sql = RawBuilder<unknown>;

export interface Statement {
  text: string;
  values: unknown[];
}

const compiler = new Kysely<never>({
  dialect: new PostgresDialect({ pool: () => Promise.reject(new Error("Kysely does not connect")) }),
});

/** Statements have no names: behind a pooler in transaction mode another connection would not know them. */
export function compile(composed: Sql): Statement {
  const { sql: text, parameters } = composed.compile(compiler);
  return { text, values: [...parameters] };
}
