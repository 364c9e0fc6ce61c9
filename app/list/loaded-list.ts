export interface ListPage<Card> {
  cards: Card[];
  /** The cursor after the last card. Null at the end of the list. */
  next: string | null;
  /** The number of results of each kind, if the list is of several kinds. */
  counts?: Record<string, number>;
  notes?: ListNotes<Card>;
}

/** The hints above and below a list's cards. */
export interface ListNotes<Card> {
  /** Set if a search has used up its budget: the time that it has reached, and the cursor that continues it. */
  older?: { after: string; time: string } | null;
  /** Cards that have only some of the searched words, if none has all. */
  partial?: Card[];
  /** The search with similar words instead of those that are found nowhere. */
  suggestion?: string | null;
}

/** One or more consecutive pages of a list, as a loader returns them. */
export interface LoadedList<Card> extends ListPage<Card> {
  /** The URL query of the search that found the cards, without a cursor, e.g. "?q=sql". */
  query: string;
  /** The cursor before the first card. Null at the start of the list. */
  after: string | null;
  pageCount: number;
  hasFailed?: true;
}

/** The result of a loader that couldn't read its list. The page keeps the cards that it shows, if any. */
export const failedList = (query: string): LoadedList<never> => ({
  query,
  cards: [],
  after: null,
  next: null,
  pageCount: 1,
  hasFailed: true,
});

/** The most pages that a URL can request, so that Back and Reload stay cheap. */
export const MAX_PAGES = 10;
