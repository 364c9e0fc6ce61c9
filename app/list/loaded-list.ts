export interface ListPage<Card> {
  cards: Card[];
  /** The cursor after the last card. Null at the end of the list. */
  next: string | null;
}

/** One or more consecutive pages of a list, as a loader returns them. */
export interface LoadedList<Card> extends ListPage<Card> {
  /** The cursor before the first card. Null at the start of the list. */
  after: string | null;
  pageCount: number;
}

/** The most pages that a URL can request, so that Back and Reload stay cheap. */
export const MAX_PAGES = 10;
