export interface ListPage<Card> {
  cards: Card[];
  /** The cursor before the first card. Null at the start of the list. */
  after: string | null;
  /** The cursor after the last card. Null at the end of the list. */
  next: string | null;
  /** How many pages the cards were read in. */
  pages: number;
}

/** A URL asks for at most this many pages at once, so that Back and Reload stay cheap. */
export const MAX_PAGES = 10;
