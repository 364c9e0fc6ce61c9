import { sql } from "kysely";
import type { Preferences, Shape } from "../parse/headers.ts";
import type { Query } from "../parse/query.ts";
import type { SchemaCache, Table } from "../schema-cache.ts";
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
