import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import { parseAccept, type Shape } from "../parse/accept.ts";
import { readParameters } from "../parse/parameters.ts";
import { parsePrefer } from "../parse/prefer.ts";
import { parseQuery } from "../parse/query.ts";
import { narrow } from "../parse/range.ts";
import { type Catalogue, findTable } from "../schema-cache.ts";
import type { Sql } from "./conditions.ts";
import { resolveEmbeds } from "./relationships.ts";
import { type Selection, selectAll, selectRows, tableName } from "./rows.ts";
import { compile, type Statement, toResult } from "./statement.ts";

/** What a GET or HEAD says. */
export interface ReadRequest {
  table: string;
  url: string;
  method: string;
  accept: string | undefined;
  prefer: string | undefined;
  range: string | undefined;
}

/** The one statement that answers a GET or HEAD with a Result, and what its answer needs to know. */
export interface Read {
  statement: Statement;
  shape: Shape;
  offset: number;
}

const REMEMBERED_CHARACTERS = 4_000_000;

/**
 * Takes the catalogue, returns what turns a request to read into a statement, which throws RestError for all that it
 * cannot understand. Clients read the same few lists over and over, so statements are remembered.
 */
export function createReader(catalogue: Catalogue): (request: ReadRequest) => Read {
  const remembered = new LRUCache<string, Read>({
    maxSize: REMEMBERED_CHARACTERS,
    sizeCalculation: ({ statement }, key) => key.length + statement.text.length,
  });
  return (request) => {
    const key = Object.values(request).join("\n");
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const read = toRead(catalogue, request);
    remembered.set(key, read);
    return read;
  };
}

function toRead(catalogue: Catalogue, request: ReadRequest): Read {
  const parameters = readParameters(request.url);
  const table = findTable(catalogue, request.table);
  const query = parseQuery(parameters);
  const shape = parseAccept(request.accept);
  // A range is for GET alone (RFC 9110 §14.2).
  const page = narrow(query, request.method === "GET" ? request.range : undefined);
  const selection: Selection = {
    table,
    source: tableName(table),
    rows: { ...query, ...page },
    columns: query.select.columns,
    resources: resolveEmbeds(catalogue, table, query.select.embeds, query.embedded),
  };
  const total = parsePrefer(request.prefer).count === "exact" ? totalOf(selection) : sql`null::int`;
  const statement = compile(
    toResult({
      rows: selectRows(selection),
      shape: request.method === "HEAD" ? "none" : shape,
      more: sql`${total} as total`,
    }),
  );
  return { statement, shape, offset: page.offset };
}

function totalOf(selection: Selection): Sql {
  const { limit, offset } = selection.rows;
  if (limit === undefined && offset === 0) return sql`count(*)::int`;
  return sql`(select count(*)::int from (${selectAll(selection)}) as a)`;
}
