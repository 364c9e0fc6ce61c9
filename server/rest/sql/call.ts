import { sql } from "kysely";
import type { DatabaseFunction } from "../functions.ts";
import type { Shape } from "../parse/accept.ts";
import type { Preferences } from "../parse/prefer.ts";
import type { Query } from "../parse/query.ts";
import type { Catalogue } from "../schema-cache.ts";
import { SCHEMA } from "../tables.ts";
import type { Sql } from "./conditions.ts";
import { resolveEmbeds } from "./relationships.ts";
import { type Selection, selectAll, selectRows } from "./rows.ts";
import { compile, type Statement, toResult } from "./statement.ts";

/** Arguments as the address has them, or as one JSON object with the names of its fields. */
export type Arguments = { texts: Map<string, string> } | { json: string; fields: string[] };

export interface Call {
  called: DatabaseFunction;
  arguments: Arguments;
  query: Query;
  prefer: Preferences;
  shape: Shape;
  isHead: boolean;
}

export function callStatement(catalogue: Catalogue, call: Call): Statement {
  const { called, query, prefer } = call;
  const selection: Selection = {
    table: called.result,
    source: sql`called`,
    rows: query,
    columns: query.select.columns,
    resources: resolveEmbeds(catalogue, called.result, query.select.embeds, query.embedded),
  };
  const total =
    prefer.count === "exact"
      ? sql`(select count(*)::int from (${selectAll(selection)}) as a)`
      : sql`null::int`;
  const result = toResult({
    rows: selectRows(selection),
    shape: shapeOf(call),
    json: called.returns === "value" ? sql`to_json(r.value)` : sql`row_to_json(r)`,
    more: sql`${total} as total`,
  });
  return compile(sql`with called as (select f.* from ${toFrom(call)}) ${result}`);
}

function toFrom({ called, arguments: sent }: Call): Sql {
  const as = called.returns === "row" ? sql`as f` : sql`as f (value)`;
  const typed = called.arguments.filter(({ name }) =>
    "texts" in sent ? sent.texts.has(name) : sent.fields.includes(name),
  );
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
