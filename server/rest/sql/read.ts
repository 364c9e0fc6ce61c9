import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import { parseAccept, type Shape } from "../parse/accept.ts";
import { readParameters } from "../parse/parameters.ts";
import { parsePrefer } from "../parse/prefer.ts";
import { parseQuery } from "../parse/query.ts";
import { narrow } from "../parse/range.ts";
import { findTable, type SchemaCache } from "../schema-cache.ts";
import { compile, type Statement } from "./compile.ts";
import { resolveEmbeds } from "./embedding.ts";
import { selectResult } from "./result.ts";
import { countAll, type Selection, selectRows, tableName } from "./selection.ts";

export interface ReadRequest {
  table: string;
  url: string;
  method: string;
  accept: string | undefined;
  prefer: string | undefined;
  range: string | undefined;
}

export interface Read {
  statement: Statement;
  shape: Shape;
  offset: number;
}

const REMEMBERED_CHARACTERS = 4_000_000;

/** Remembers statements by request: composing one costs half as much as running it. */
export function createReader(schemaCache: SchemaCache): (request: ReadRequest) => Read {
  const remembered = new LRUCache<string, Read>({
    maxSize: REMEMBERED_CHARACTERS,
    sizeCalculation: ({ statement }, key) => key.length + statement.text.length,
  });
  return (request) => {
    const key = Object.values(request).join("\n");
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const read = toRead(schemaCache, request);
    remembered.set(key, read);
    return read;
  };
}

function toRead(schemaCache: SchemaCache, request: ReadRequest): Read {
  const parameters = readParameters(request.url);
  const table = findTable(schemaCache, request.table);
  const query = parseQuery(parameters);
  const shape = parseAccept(request.accept);
  // A range is for GET alone (RFC 9110 §14.2).
  const page = narrow(query, request.method === "GET" ? request.range : undefined);
  const selection: Selection = {
    table,
    source: tableName(table),
    query: { ...query, ...page },
    columns: query.select.columns,
    resources: resolveEmbeds(schemaCache, table, query.select.embeds, query.embedded),
  };
  const statement = compile(
    selectResult({
      rows: selectRows(selection),
      shape: request.method === "HEAD" ? "none" : shape,
      moreColumns: sql`${countAll(selection, parsePrefer(request.prefer).wantsCount)} as total`,
    }),
  );
  return { statement, shape, offset: page.offset };
}
