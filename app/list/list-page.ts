export interface ListPage<Card> {
  cards: Card[];
  /** The cursor before the first card. Null at the start of the list. */
  after: string | null;
  /** The cursor after the last card. Null at the end of the list. */
  next: string | null;
  /** How many pages `cards` contains. */
  pages: number;
}

/** The most pages that a URL can ask for, so that Back and Reload stay cheap. */
export const MAX_PAGES = 10;
