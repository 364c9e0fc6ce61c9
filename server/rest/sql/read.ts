import { sql } from "kysely";
import type { Shape } from "../parse/accept.ts";
import type { Preferences } from "../parse/prefer.ts";
import type { Query } from "../parse/query.ts";
import type { SchemaCache } from "../schema-cache.ts";
import type { Table } from "../tables.ts";
import { compile, type Statement } from "./compile.ts";
import { resolveEmbeds } from "./embedding.ts";
import { selectResult } from "./result.ts";
import { countAll, type Selection, selectRows, tableName } from "./selection.ts";

export interface Read {
  table: Table;
  query: Query;
  prefer: Preferences;
  shape: Shape | "none";
}

export function readStatement(schemaCache: SchemaCache, { table, query, prefer, shape }: Read): Statement {
  const selection: Selection = {
    table,
    source: tableName(table),
    query,
    columns: query.select.columns,
    resources: resolveEmbeds(schemaCache, table, query.select.embeds, query.embedded),
  };
  return compile(
    selectResult({
      rows: selectRows(selection),
      shape,
      moreColumns: sql`${countAll(selection, prefer.wantsCount)} as total`,
    }),
  );
}
