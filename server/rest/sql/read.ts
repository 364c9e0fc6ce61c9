import { sql } from "kysely";
import type { Preferences, Shape } from "../parse/headers.ts";
import type { Query } from "../parse/query.ts";
import type { SchemaCache, Table } from "../schema-cache.ts";
import { compile, type Statement } from "./compile.ts";
import { selectResult } from "./result.ts";
import { countAll, selectionOf, selectRows, tableName } from "./selection.ts";

export interface Read {
  table: Table;
  query: Query;
  prefer: Preferences;
  shape: Shape | "none";
}

export function readStatement(schemaCache: SchemaCache, { table, query, prefer, shape }: Read): Statement {
  const selection = selectionOf(schemaCache, table, query, tableName(table));
  return compile(
    selectResult({
      rows: selectRows(selection),
      shape,
      moreColumns: sql`${countAll(selection, prefer.wantsCount)} as total`,
    }),
  );
}
