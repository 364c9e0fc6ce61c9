import type { DataClient } from "./client.ts";
import {
  AUTHOR_COLUMNS,
  type DataReader,
  type Filter,
  type FunctionCall,
  rowsOf,
  type TableRead,
} from "./reader.ts";
import { tableNamed } from "./table-named.ts";

/** Returns a reader that sends requests to a data API, with the rights of the client's key or token. */
export function readerOf(client: DataClient): DataReader {
  return {
    async read<Row>(read: TableRead) {
      const { filters = [], order = [], limit, offset = 0, wantsCount } = read;
      const options = wantsCount ? { count: "exact" as const } : undefined;
      let rows = tableNamed(client, read.table).select<string, Row>(selectOf(read), options);
      for (const filter of filters) {
        if ("anyOf" in filter) rows = rows.or(filter.anyOf.map(textOf).join());
        else if ("values" in filter) rows = rows.in(filter.column, filter.values);
        else if ("value" in filter) rows = rows.filter(filter.column, filter.test, filter.value);
        else if (filter.test === "is null") rows = rows.is(filter.column, null);
        else rows = rows.not(filter.column, "is", null);
      }
      for (const term of order) {
        if (typeof term === "string") rows = rows.order(term);
        else
          rows = rows.order(term.column, { ascending: false, ...(term.nullsLast && { nullsFirst: false }) });
      }
      if (limit !== undefined)
        rows = offset === 0 ? rows.limit(limit) : rows.range(offset, offset + limit - 1);
      const response = await rows;
      return { rows: rowsOf(response), count: response.count };
    },
    async call<Row>(call: FunctionCall) {
      const response = await client.rpc(call.function, call.arguments);
      return rowsOf(response as { data: Row[] | null; error: typeof response.error });
    },
  };
}

function selectOf({ columns, renamed = {}, withAuthor }: TableRead): string {
  const others = Object.entries(renamed).map(([name, column]) => `${name}:${column}`);
  return [...columns, ...others, ...(withAuthor ? [`profiles(${AUTHOR_COLUMNS})`] : [])].join();
}

/** Writes a condition as in `or=(a.eq."1",b.is.null)` (docs.postgrest.org, "Logical operators"). */
function textOf(filter: Filter): string {
  if ("anyOf" in filter) return `or(${filter.anyOf.map(textOf)})`;
  const { column, test } = filter;
  if ("values" in filter) return `${column}.in.(${filter.values.map(quote)})`;
  if ("value" in filter) return `${column}.${test}.${quote(String(filter.value))}`;
  return test === "is null" ? `${column}.is.null` : `${column}.not.is.null`;
}

const quote = (text: string) => `"${text.replace(/["\\]/g, "\\$&")}"`;
