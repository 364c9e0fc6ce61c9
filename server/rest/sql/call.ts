import { sql } from "kysely";
import type { DatabaseFunction } from "../functions.ts";
import type { Shape } from "../parse/accept.ts";
import type { Arguments } from "../parse/arguments.ts";
import type { Preferences } from "../parse/prefer.ts";
import type { Query } from "../parse/query.ts";
import type { SchemaCache } from "../schema-cache.ts";
import { SCHEMA } from "../tables.ts";
import { compile, type Sql, type Statement } from "./compile.ts";
import { resolveEmbeds } from "./embedding.ts";
import { selectResult } from "./result.ts";
import { countAll, type Selection, selectRows } from "./selection.ts";

export interface Call {
  called: DatabaseFunction;
  arguments: Arguments;
  query: Query;
  prefer: Preferences;
  shape: Shape;
  isHead: boolean;
}

export function callStatement(schemaCache: SchemaCache, call: Call): Statement {
  const { called, query, prefer } = call;
  const selection: Selection = {
    table: called.result,
    source: sql`called`,
    query,
    columns: query.select.columns,
    resources: resolveEmbeds(schemaCache, called.result, query.select.embeds, query.embedded),
  };
  const result = selectResult({
    rows: selectRows(selection),
    shape: shapeOf(call),
    json: called.returns === "value" ? sql`to_json(r.value)` : sql`row_to_json(r)`,
    moreColumns: sql`${countAll(selection, prefer.count)} as total`,
  });
  return compile(sql`with called as (select f.* from ${toFrom(call)}) ${result}`);
}

function toFrom({ called, arguments: sent }: Call): Sql {
  const as = called.returns === "row" ? sql`as f` : sql`as f (value)`;
  const typed = called.arguments.filter(({ name }) => sent.names.includes(name));
  const invoked = (toValue: (name: string, type: string) => Sql) => {
    const named = typed.map(({ name, type }) => sql`${sql.id(name)} => ${toValue(name, type)}`);
    return sql`${sql.id(SCHEMA, called.name)}(${sql.join(named)}) ${as}`;
  };
  if ("texts" in sent) return invoked((name, type) => sql`${sent.texts.get(name)}::${sql.raw(type)}`);
  if (typed.length === 0) return invoked(() => sql``);
  const columns = typed.map(({ name, type }) => sql`${sql.id(name)} ${sql.raw(type)}`);
  return sql`json_to_record(${sent.json}::json) as sent (${sql.join(columns)}), lateral ${invoked((name) => sql.id("sent", name))}`;
}

function shapeOf({ called, shape, isHead }: Call): Shape | "none" {
  if (isHead || called.returns === "void") return "none";
  return called.returnsSet ? shape : "object";
}
