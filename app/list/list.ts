import { type ListNotes, type LoadedList, MAX_PAGES } from "./loaded-list.ts";

/**
 * A list on the screen. `docs/list-and-form-states.md` draws its states.
 * A failed request changes only the status, but not the cards, their query or the URL.
 */
export interface List<Card> {
  /** The URL query of the search that found the cards, without a cursor. */
  query: string;
  cards: Card[];
  /** The cursors before the first and after the last card. Null at the start and at the end of the list. */
  cursor: { after: string | null; next: string | null };
  status: ListStatus<Card>;
  pageCount: number;
  /** The number of results of each kind, if the list is of several kinds. */
  counts: Record<string, number> | undefined;
  notes: ListNotes<Card>;
  url: ListUrl;
  /** Whether the cards have changed on the server since the request that is pending was sent. */
  isStale: boolean;
  /** The number of lists that navigations have loaded. After each, the search fields show the list's search. */
  arrivals: number;
}

/** The URL that belongs to the cards. */
interface ListUrl {
  search: string;
  /** The search of the history entry before the reader typed. Typing replaces it, and Enter restores it. */
  entry: string;
  /** The query of the list that `entry` shows. */
  entryQuery: string;
  /** Counts the history entries that Enter has added. */
  entered: number;
}

/** What to request from the list's loader. A new object is a new request. */
interface ListRequest {
  search: string;
  /** The cursor that the response must start after. Undefined if only the server knows it. */
  after?: string | null;
}

type ListStatus<Card> =
  | { is: "idle"; request: null }
  /** The reader has typed a search. It is sent after a pause. An earlier search may still be pending. */
  | { is: "typed"; query: string; request: ListRequest | null; pendingQuery: string | null }
  | { is: "searching"; query: string; request: ListRequest; isEntered: boolean }
  /** The next page is pending. */
  | { is: "adding"; request: ListRequest }
  /** The loaded pages are read again, in several requests if there are more than a URL can request. */
  | { is: "refreshing"; request: ListRequest; pageCount: number; cards: Card[] }
  /** The part of the list around an item is pending. */
  | { is: "seeking"; request: ListRequest }
  /** The last request has failed. If `isPage`, it was for the next page. */
  | { is: "failed"; request: null; isPage: boolean };

export type ListEvent<Card> =
  /** The fields of the search form now have the values of this query. */
  | { type: "typed"; query: string }
  /** The reader has paused typing. */
  | { type: "paused" }
  /** The reader has pressed Enter. */
  | { type: "submitted"; query: string }
  | { type: "wantsMore" }
  /** The reader wants to see an item that is not among the cards. */
  | { type: "wantsItem"; id: string }
  /** The member has saved or restored an item, so the loaded pages are out of date. */
  | { type: "changed" }
  /** The member has saved a card's item. The list is still to be read again. */
  | { type: "saved"; id: string; change(card: Card): Card }
  | { type: "removed"; id: string }
  /** The response to the pending request. */
  | { type: "loaded"; part: LoadedList<Card> }
  | { type: "failed" }
  /** The reader is opening another page or another part of the list. */
  | { type: "leaving" }
  /** A navigation has loaded the list. */
  | { type: "arrived"; result: LoadedList<Card>; search: string };

const IDLE = { is: "idle", request: null } as const;
const FAILED = { is: "failed", request: null, isPage: false } as const;

export function startList<Card>(result: LoadedList<Card>, search: string): List<Card> {
  const { query, cards, after, next, pageCount, counts, notes = {}, hasFailed } = result;
  return {
    query,
    cards,
    cursor: { after, next },
    status: hasFailed ? FAILED : IDLE,
    pageCount,
    counts,
    notes,
    url: { search, entry: search, entryQuery: query, entered: 0 },
    isStale: false,
    arrivals: 0,
  };
}

/** Returns a list's reducer. `idOf` returns the id of a card. */
export function listReducer<Card>(idOf: (card: Card) => string) {
  return function reduce(list: List<Card>, event: ListEvent<Card>): List<Card> {
    const { status } = list;
    switch (event.type) {
      case "typed":
        return typed(list, event.query);
      case "paused":
        return status.is === "typed" ? search(list, status.query, false) : list;
      case "submitted":
        return submitted(list, event.query);
      case "wantsMore":
        return isFree(list) && list.cursor.next !== null
          ? { ...list, status: { is: "adding", request: requestAfter(list, list.cursor.next) } }
          : list;
      case "wantsItem": {
        const isKnown =
          list.cards.some((card) => idOf(card) === event.id) || aroundId(list.url.search) === event.id;
        const request = { search: withParameters(list.query, { around: event.id }) };
        return isFree(list) && !isKnown ? { ...list, status: { is: "seeking", request } } : list;
      }
      case "changed":
        return isFree(list) || status.is === "adding" ? refresh(list) : { ...list, isStale: true };
      case "saved":
        return {
          ...list,
          cards: list.cards.map((card) => (idOf(card) === event.id ? event.change(card) : card)),
        };
      case "removed":
        return { ...list, cards: list.cards.filter((card) => idOf(card) !== event.id) };
      case "loaded":
        return refreshIfStale(loaded(list, event.part, idOf));
      case "failed":
        if (status.is === "typed")
          return { ...list, status: { ...status, request: null, pendingQuery: null } };
        if (!status.request) return list;
        return { ...list, status: { ...FAILED, isPage: status.is === "adding" }, isStale: false };
      case "leaving":
        return status.is === "idle" ? list : { ...list, status: IDLE };
      case "arrived":
        return arrived(list, event.result, event.search);
    }
  };
}

/** Whether no request is pending and nothing has been typed. */
const isFree = ({ status: { is } }: List<unknown>) => is === "idle" || is === "failed";

function typed<Card>(list: List<Card>, query: string): List<Card> {
  const { status } = list;
  if (status.is === "searching" && status.query === query) return list;
  if (query === list.query) {
    const isSearch = status.is === "typed" || status.is === "searching" || status.is === "failed";
    return isSearch ? refreshIfStale({ ...list, status: IDLE }) : list;
  }
  const pending =
    status.is === "searching"
      ? { request: status.request, pendingQuery: status.query }
      : status.is === "typed"
        ? { request: status.request, pendingQuery: status.pendingQuery }
        : { request: null, pendingQuery: null };
  const isStale = list.isStale || status.is === "refreshing";
  return { ...list, isStale, status: { is: "typed", query, ...pending } };
}

function submitted<Card>(list: List<Card>, query: string): List<Card> {
  const { status, url } = list;
  if (query === list.query) {
    const entered = query === url.entryQuery ? list : { ...list, url: addEntry(url, query) };
    return typed(entered, query);
  }
  if (status.is === "searching" && status.query === query) {
    return { ...list, status: { ...status, isEntered: true } };
  }
  return search(list, query, true);
}

function search<Card>(list: List<Card>, query: string, isEntered: boolean): List<Card> {
  return {
    ...list,
    isStale: false,
    status: { is: "searching", query, isEntered, request: { search: query, after: null } },
  };
}

const addEntry = (url: ListUrl, query: string): ListUrl => ({
  search: query,
  entry: query,
  entryQuery: query,
  entered: url.entered + 1,
});

function refresh<Card>(list: List<Card>): List<Card> {
  const request = requestAfter(list, list.cursor.after, list.pageCount);
  return { ...list, isStale: false, status: { is: "refreshing", request, pageCount: 0, cards: [] } };
}

function refreshIfStale<Card>(list: List<Card>): List<Card> {
  return list.isStale && isFree(list) ? refresh(list) : list;
}

function loaded<Card>(list: List<Card>, part: LoadedList<Card>, idOf: (card: Card) => string): List<Card> {
  const { status, url } = list;
  // A response to an earlier request may arrive just after another request has replaced it.
  const { after = part.after } = status.request ?? {};
  if (part.after !== after) return list;
  const shown = {
    ...list,
    query: part.query,
    cards: part.cards,
    cursor: { after: part.after, next: part.next },
    pageCount: part.pageCount,
    counts: part.counts,
    notes: part.notes ?? {},
  };
  if (status.is === "searching" && status.query === part.query) {
    const next = status.isEntered ? addEntry(url, part.query) : { ...url, search: part.query };
    return { ...shown, url: next, status: IDLE };
  }
  if (status.is === "typed" && status.pendingQuery === part.query) {
    const next = { ...url, search: part.query };
    return { ...shown, url: next, status: { ...status, request: null, pendingQuery: null } };
  }
  if (status.is === "seeking")
    return { ...shown, url: { ...url, search: status.request.search }, status: IDLE };
  if (part.query !== list.query) return list;
  if (status.is === "refreshing") return refreshed(list, status, part, idOf);
  if (status.is === "adding") {
    const pageCount = list.pageCount + 1;
    const isCounted = pageCount <= MAX_PAGES;
    return {
      ...list,
      cards: [...list.cards, ...part.cards],
      cursor: { ...list.cursor, next: part.next },
      notes: part.notes ?? {},
      pageCount,
      url: isCounted ? { ...url, search: withParameters(url.search, { pages: String(pageCount) }) } : url,
      status: IDLE,
    };
  }
  return list;
}

/** Replaces the cards that have been read again, and keeps the loaded cards after them. */
function refreshed<Card>(
  list: List<Card>,
  status: ListStatus<Card> & { is: "refreshing" },
  part: LoadedList<Card>,
  idOf: (card: Card) => string,
): List<Card> {
  const read = [...status.cards, ...part.cards];
  const pageCount = status.pageCount + part.pageCount;
  const ids = new Set(read.map(idOf));
  const lastRead = list.cards.findLastIndex((card) => ids.has(idOf(card)));
  const isEnd = part.next === null || lastRead < 0;
  const rest = isEnd ? [] : list.cards.slice(lastRead + 1);
  const next = {
    ...list,
    cards: [...read, ...rest],
    cursor: { ...list.cursor, next: rest.length > 0 ? list.cursor.next : part.next },
    notes: part.notes ?? {},
  };
  if (rest.length === 0 || pageCount >= list.pageCount) return { ...next, status: IDLE };
  const request = requestAfter(list, part.next, list.pageCount - pageCount);
  return { ...next, status: { is: "refreshing", request, pageCount, cards: read } };
}

function arrived<Card>(list: List<Card>, result: LoadedList<Card>, search: string): List<Card> {
  const next = startList(result, search);
  const { entered } = list.url;
  const url = { ...next.url, entered };
  const { status } = list;
  // The reader has typed while the list was loading. The fields keep the text, which is searched after the pause.
  if (status.is === "typed") {
    const typing = { ...status, request: null, pendingQuery: null };
    const shown = next.status.is === "failed" ? { ...list, isStale: false } : next;
    return { ...shown, url, arrivals: list.arrivals, status: status.query === shown.query ? IDLE : typing };
  }
  const shared = { url, arrivals: list.arrivals + 1 };
  return next.status.is === "failed"
    ? { ...list, ...shared, status: FAILED, isStale: false }
    : { ...next, ...shared };
}

/** The URL query of the pages after a cursor or, for null, of the first pages. */
function pageAfter({ query }: List<unknown>, after: string | null, pages = 1): string {
  const count = Math.min(pages, MAX_PAGES);
  return withParameters(query, { after, pages: count > 1 ? String(count) : null });
}

const requestAfter = (list: List<unknown>, after: string | null, pages?: number): ListRequest => ({
  search: pageAfter(list, after, pages),
  after,
});

/** The id of the item around which a list was loaded, or null. */
export const aroundId = (search: string) => new URLSearchParams(search).get("around");

/** The URL query that continues a search which has stopped, for a link. */
export function olderQuery(list: List<unknown>): string | null {
  return list.notes.older ? pageAfter(list, list.notes.older.after) : null;
}

/** The URL query of the next page, for a link. Null at the end of the list. */
export function nextPageQuery(list: List<unknown>): string | null {
  return list.cursor.next && pageAfter(list, list.cursor.next);
}

/** Sets or, for null, removes parameters of a URL query. */
function withParameters(search: string, parameters: Record<string, string | null>): string {
  const query = new URLSearchParams(search);
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  // Omit the "?" if there are no parameters, as the URLs of requests do: a failure is matched to its request by the URL.
  return query.size > 0 ? `?${query}` : "";
}
