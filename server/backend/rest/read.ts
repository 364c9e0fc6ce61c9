import { sql } from "kysely";
import type { Shape } from "./accept.ts";
import { type Catalogue, findTable } from "./catalogue.ts";
import type { Query } from "./query.ts";
import { resolveEmbeds } from "./relationships.ts";
import { type Selection, selectAll, selectRows, tableName } from "./rows.ts";
import { compile, type Statement, toJson } from "./statement.ts";

/** What a GET or HEAD asks for. */
export interface Read {
  table: string;
  query: Query;
  shape: Shape;
  /** Whether the rows themselves are wanted, and not only their number. */
  body: boolean;
  count: boolean;
}

/** Takes what is asked for, returns the one statement that answers it with a Result. Throws RestError for unknown names. */
export function readStatement(catalogue: Catalogue, { table, query, shape, body, count }: Read): Statement {
  const found = findTable(catalogue, table);
  const selection: Selection = {
    table: found,
    source: tableName(found),
    rows: query,
    columns: query.select.columns,
    resources: resolveEmbeds(catalogue, found, query.select.embeds, query.embedded),
  };
  const rows = selectRows(selection);
  const json = body ? toJson(shape) : sql`null::text`;
  return compile(
    sql`select ${json} as body, count(*)::int as rows, ${count ? totalOf(selection) : sql`null::int`} as total from (${rows}) as r`,
  );
}

function totalOf(selection: Selection) {
  const { limit, offset } = selection.rows;
  if (limit === undefined && offset === 0) return sql`count(*)::int`;
  return sql`(select count(*)::int from (${selectAll(selection)}) as a)`;
}
