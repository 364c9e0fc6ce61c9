import type { ContentRow, Position } from "../../data/content-reads.ts";
import type { CardData } from "../kind.ts";
import { EVERYTHING, type Search } from "../search.ts";

/** Cards per stretch: about what the first drawing of a list shows, so that no search waits for more. */
export const STRETCH = 12;

/** Part of a list, in order. */
export interface Stretch<Row extends ContentRow> {
  cards: CardData<Row>[];
  /** The last of these cards, when more stand behind it. */
  next: Position | null;
}

/** Where an item stands in a list: how many stand before it, and how many there are. */
export interface Place {
  place: number;
  count: number;
}

/** The cards that a content page begins with, and the search that they answer. */
export interface Listing<Row extends ContentRow> extends Stretch<Row> {
  search: Search;
  /** Whether they came with the document, for somebody who may only read it. */
  isInDocument: boolean;
}

/** What a page begins with when nothing could be loaded. */
export const NO_LISTING: Listing<never> = { search: EVERYTHING, cards: [], next: null, isInDocument: false };
