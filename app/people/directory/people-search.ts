import type { PeopleQuery } from "../../../common/data/people-reads.ts";
import { SKILL_CATEGORIES } from "../../../common/data/vocabulary.ts";
import { formatQuery, textParameter } from "../../list/search-params.ts";

export type PeopleSearch = Pick<PeopleQuery, "text" | "category" | "sort">;

/** Reads a search from the query of the directory's URL. Unknown values fall back to the default. */
export function parsePeopleSearch(parameters: URLSearchParams): PeopleSearch {
  const category = parameters.get("category") ?? "";
  return {
    text: textParameter(parameters, "q"),
    category: Object.hasOwn(SKILL_CATEGORIES, category) ? category : "",
    sort: parameters.get("sort") === "name" ? "name" : "experience",
  };
}

/** Returns the URL query of a search, without a cursor and without values that are the default. */
export function formatPeopleSearch({ text, category, sort }: PeopleSearch): string {
  return formatQuery({ q: text, category, sort: sort === "name" && sort });
}
