import type { ContentRow } from "../../data/content-reads.ts";
import type { CardData } from "../kind.ts";
import { formatSearch, type Search } from "../search/search.ts";
import { type Cursor, cursorOf } from "./cursor.ts";

export interface ListCard<Row extends ContentRow> extends CardData<Row> {
  /** Changes with the row and its author's names. */
  version: string;
}

export interface ListPage<Row extends ContentRow> {
  cards: ListCard<Row>[];
  /** The item before the first card, if there is one. */
  previous: Cursor | null;
  /** The last card, if more follow. */
  next: Cursor | null;
}

export interface PageRequest {
  search: Search;
  after?: Cursor | null;
  before?: Cursor;
  size?: number;
}

export interface ListRequest extends Partial<PageRequest> {
  around?: string;
  all?: boolean;
  /** The versions of the cards that the browser has: the answer names them by their place in this list. */
  have?: string[];
}

/** Characters of a version: a changed card passes for an unchanged one in 10^9 cases. */
export const VERSION_LENGTH = 5;
const MOST_KNOWN = 1_000;

export function listQuery({ search, have = [], ...rest }: ListRequest): string {
  const query = new URLSearchParams(search && formatSearch(search));
  for (const [name, value] of Object.entries(rest)) if (value) query.set(name, String(value));
  if (have.length > 0 && have.length <= MOST_KNOWN) query.set("have", have.join(""));
  return query.toString();
}

/** A longer list forgets its other end as it is scrolled. */
export const MOST_CARDS = 600;

/** Two pages that follow each other as one, of which `kept` is the end that the reader is at. */
export function joinPages<Row extends ContentRow>(
  above: ListPage<Row>,
  below: ListPage<Row>,
  kept: "start" | "end",
): ListPage<Row> {
  const all = { previous: above.previous, next: below.next, cards: [...above.cards, ...below.cards] };
  return cut(all, kept === "start" ? 0 : Math.max(0, all.cards.length - MOST_CARDS), MOST_CARDS);
}

/** A page of a list that is here whole. Null when the item that the cursor names is not in it. */
export function pageOf<Row extends ContentRow>(
  cards: ListCard<Row>[],
  { after, before, size }: Omit<PageRequest, "search"> & { size: number },
): ListPage<Row> | null {
  const cursor = before ?? after;
  const place = cards.findIndex(({ item }) => cursorOf(item) === cursor);
  if (cursor && place < 0) return null;
  const start = before ? Math.max(0, place - size) : place + 1;
  return cut({ cards, previous: null, next: null }, start, before ? place - start : size);
}

function cut<Row extends ContentRow>(list: ListPage<Row>, start: number, size: number): ListPage<Row> {
  const { cards } = list;
  const before = cards[start - 1];
  const last = start + size < cards.length && cards[start + size - 1];
  return {
    cards: cards.slice(start, start + size),
    previous: before ? cursorOf(before.item) : list.previous,
    next: last ? cursorOf(last.item) : list.next,
  };
}
