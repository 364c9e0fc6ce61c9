import type { ContentQuery } from "../../data/content-reads.ts";
import { textParameter, toQuery } from "../../list/query.ts";

export type Search = Pick<ContentQuery, "text" | "author" | "sort">;

/** Reads a search from the query of a content page's URL. Unknown values fall back to the default. */
export function parseSearch(parameters: URLSearchParams): Search {
  return {
    text: textParameter(parameters, "q"),
    author: textParameter(parameters, "author"),
    sort: parameters.get("sort") === "asc" ? "asc" : "desc",
  };
}

/** The URL query of a search's first page. */
export function formatSearch(
  { text, author, sort }: Search,
  others: Record<string, string | null> = {},
): string {
  return toQuery({ q: text, author, sort: sort === "asc" && sort, ...others });
}
