import type { ContentQuery } from "../../../common/data/content-reads.ts";
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

/** Returns the URL query of a search, without a cursor and without values that are the default. */
export function formatSearch({ text, author, sort }: Search): string {
  return formatQuery({ q: text, author, sort: sort === "asc" && sort });
}
