import { KINDS, kindSlug } from "../../common/kinds/index.ts";
import { formatQuery, textParameter } from "../list/search-params.ts";

export interface EverythingSearch {
  text: string;
  /** A key of `SEARCHED_KINDS`. */
  kind: string;
}

interface SearchedKind {
  name: string;
  /** The kind's name in the database. An empty string means all kinds. */
  source: string;
}

const EVERYTHING = "all";

/** The options of the selector `Kind`, by the value of the URL's parameter `kind`. */
export const SEARCHED_KINDS: Record<string, SearchedKind> = {
  [EVERYTHING]: { name: "Everything", source: "" },
  ...Object.fromEntries(KINDS.map((kind) => [kindSlug(kind), { name: kind.name, source: kind.table }])),
  people: { name: "Professionals", source: "people" },
};

/** Reads a search from the query of the page's URL. An unknown kind means everything. */
export function parseEverythingSearch(parameters: URLSearchParams): EverythingSearch {
  const kind = parameters.get("kind") ?? "";
  return {
    text: textParameter(parameters, "q"),
    kind: Object.hasOwn(SEARCHED_KINDS, kind) ? kind : EVERYTHING,
  };
}

/** Returns the URL query of a search, without a cursor and without values that are the default. */
export function formatEverythingSearch({ text, kind }: EverythingSearch): string {
  return formatQuery({ q: text, kind: kind !== EVERYTHING && kind });
}
