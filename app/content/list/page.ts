import type { CardData } from "../kind.ts";
import type { Search } from "../search/search.ts";

export interface ListCard extends CardData {
  /** Changes with the row and its author's names. */
  version: string;
}

export interface ListPage {
  cards: ListCard[];
  previous: string | null;
  next: string | null;
  /** Of the cards that the search finds, where it is known. */
  total?: number;
}

export interface PageRequest {
  search: Search;
  after?: string | null | undefined;
  before?: string | null | undefined;
  /** An item's id: the page begins a few cards above it. */
  around?: string | null | undefined;
  size?: number;
}

const CURSOR =
  /^((?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-](?:0\d|1[0-4]):\d\d))~([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

export function cursorOf({ created_at, id }: { created_at: string; id: string }): string {
  return `${created_at}~${id}`;
}

export function parseCursor(value: string | null | undefined): { createdAt: string; id: string } | null {
  const [, createdAt = "", id] = CURSOR.exec(value ?? "") ?? [];
  const day = createdAt.slice(0, 10);
  // JavaScript takes a 30th of February for the 1st of March; PostgreSQL refuses it.
  const isTime = !Number.isNaN(Date.parse(createdAt)) && new Date(day).toISOString().startsWith(day);
  return id && isTime ? { createdAt, id } : null;
}

export const MOST_CARDS = 600;

export function slicePage({ cards, previous, next }: ListPage, start: number, end: number): ListPage {
  const before = cards[start - 1];
  const last = end < cards.length ? cards[end - 1] : undefined;
  return {
    cards: cards.slice(start, end),
    previous: before ? cursorOf(before.item) : previous,
    next: last ? cursorOf(last.item) : next,
  };
}

export function extendPage(list: ListPage, page: ListPage, end: "start" | "end"): ListPage {
  const [above, below] = end === "end" ? [list, page] : [page, list];
  const cards = [...above.cards, ...below.cards];
  const start = end === "end" ? Math.max(0, cards.length - MOST_CARDS) : 0;
  return slicePage({ cards, previous: above.previous, next: below.next }, start, start + MOST_CARDS);
}

/** As many as the longest document holds, so that a list that fits into one changes in one step. */
const SHOWN_AT_ONCE = 60;

/** A page of a list that is here whole. Null when the item that the cursor names is not in it. */
export function pageOf(cards: ListCard[], { after, before, size = SHOWN_AT_ONCE }: Partial<PageRequest>) {
  const cursor = before ?? after;
  const at = cards.findIndex(({ item }) => cursorOf(item) === cursor);
  if (cursor && at < 0) return null;
  const start = before ? Math.max(0, at - size) : at + 1;
  const page = slicePage({ cards, previous: null, next: null }, start, before ? at : start + size);
  return { ...page, total: cards.length };
}
