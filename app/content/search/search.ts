import { type ContentQuery, searchCall } from "../../../common/data/content-reads.ts";
import type { FunctionCall } from "../../../common/data/reader.ts";
import { KINDS } from "../../../common/kinds/index.ts";
import { formatQuery, textParameter } from "../../list/search-params.ts";

export type Search = Pick<ContentQuery, "text" | "author" | "sort">;

/** Reads a search from the query of a content page's URL. Unknown values fall back to the default. */
export function parseSearch(parameters: URLSearchParams): Search {
  return {
    text: textParameter(parameters, "q"),
    author: textParameter(parameters, "author"),
    sort: parameters.get("sort") === "asc" ? "asc" : "desc",
  };
}

/**
 * Returns the call that a list's page or its data (`.data`) begins with, or undefined for other URLs. The path must be
 * canonical.
 */
export function searchAt({ pathname, searchParams }: URL): FunctionCall | undefined {
  const kind = KINDS.find(({ path }) => pathname === path || pathname === `${path}.data`);
  return kind && searchCall(kind.table, { ...parseSearch(searchParams), cursor: null, size: 1 });
}

/** Returns the URL query of a search, without a cursor and without values that are the default. */
export function formatSearch({ text, author, sort }: Search): string {
  return formatQuery({ q: text, author, sort: sort === "asc" && sort });
}
