/** One page of a list, as the database returns it. */
export interface ListPage<Card> {
  cards: Card[];
  /** The cursor after the last card. Null at the end of the list. */
  next: string | null;
}

/** The consecutive pages of a list that a loader returns. */
export interface LoadedList<Card> extends ListPage<Card> {
  /** The cursor before the first card. Null at the start of the list. */
  after: string | null;
  pageCount: number;
}

/** The most pages that a URL can ask for, so that Back and Reload stay cheap. */
export const MAX_PAGES = 10;
