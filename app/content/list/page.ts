import type { CardData } from "../kind.ts";
import type { Search } from "../search/search.ts";
import { cursorOf } from "./cursor.ts";

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

/** A page of a list that is here whole. Null when the item that the cursor names is not in it. */
export function pageOf(
  cards: ListCard[],
  { after, before, size }: Omit<PageRequest, "search"> & { size: number },
): ListPage | null {
  const cursor = before ?? after;
  const at = cards.findIndex(({ item }) => cursorOf(item) === cursor);
  if (cursor && at < 0) return null;
  const start = before ? Math.max(0, at - size) : at + 1;
  return slicePage({ cards, previous: null, next: null }, start, before ? at : start + size);
}
