import pg from "pg";
import sql, { empty, join as joinAll, raw, type Sql } from "sql-template-tag";

export type { Sql };
export { empty, raw, sql };

/** A name, or a name within another, e.g. `"t"."title"`. */
export const identifier = (...names: string[]): Sql => raw(names.map(pg.escapeIdentifier).join("."));

/** A constant in the text of the statement. Use a parameter for a client's values. */
export const literal = (value: string): Sql => raw(pg.escapeLiteral(value));

/** Joins parts of a statement. Unlike the library's function, it accepts an empty list. */
export const join = (parts: Sql[], separator = ", "): Sql =>
  parts.length === 0 ? empty : joinAll(parts, separator);
