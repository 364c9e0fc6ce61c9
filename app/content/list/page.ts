import type { ContentRow } from "../../data/content-reads.ts";
import type { CardData } from "../kind.ts";
import { formatSearch, type Search } from "../search/search.ts";
import type { Cursor } from "./cursor.ts";

export interface ListCard<Row extends ContentRow> extends CardData<Row> {
  /** Changes with the row and its author's names. */
  version: string;
}

/** Part of a list, in order. */
export interface ListPage<Row extends ContentRow> {
  cards: ListCard<Row>[];
  /** The item before the first card, if there is one. */
  previous: Cursor | null;
  /** The last card, if more follow. */
  next: Cursor | null;
}

/** What a browser asks of a list beyond its first page. */
export interface ListRequest {
  search?: Search;
  after?: Cursor | null;
  before?: Cursor;
  /** The id of an item that the page is to hold. */
  around?: string;
  /** All of the list, if it is small enough. */
  all?: boolean;
  size?: number;
  /** The versions of the cards that the browser has: the answer names them by their place in this list. */
  have?: string[];
}

/** Characters of a version: a changed card passes for an unchanged one in 10^9 cases. */
export const VERSION_LENGTH = 5;
/** An address holds so many versions. */
const MOST_KNOWN = 1_000;

export function listQuery({ search, have = [], ...rest }: ListRequest): string {
  const query = new URLSearchParams(search && formatSearch(search));
  for (const [name, value] of Object.entries(rest)) if (value) query.set(name, String(value));
  if (have.length > 0 && have.length <= MOST_KNOWN) query.set("have", have.join(""));
  return query.toString();
}
