import { useCallback, useDeferredValue, useEffect, useMemo, useReducer, useRef, useState } from "react";
import type { ContentRow } from "../../data/content-reads.ts";
import type { CardData, ListKind } from "../kind.ts";
import { formatSearch, isNarrower, type Search, searchItems } from "../search.ts";
import { type CardList, wholeList } from "./card-list.ts";
import { askList, RemoteList } from "./remote-list.ts";
import type { Listing, Stretch } from "./stretch.ts";

/** All cards of a list, or that they are too many; nothing until somebody needed to know. */
type Whole<Row extends ContentRow> = CardData<Row>[] | "too-many" | undefined;

/** So few cards are searched with the key itself; more of them behind the keys, which they must not hold up. */
const SEARCHED_AT_ONCE = 120;

/** A list and the search that it answers. */
interface Found<Row extends ContentRow> {
  list: CardList<Row>;
  search: Search;
}

/** What a content page shows of its items. */
export interface ShownList<Row extends ContentRow> extends Found<Row> {
  /** Whether it answers the search of the moment already. */
  isAnswer: boolean;
  /** Says that the visitor is about to need all of it. */
  needAll(): void;
}

/**
 * Takes a kind, the cards that the page began with and the search of the moment; returns the list to show. A list
 * that is small enough is fetched whole and searched here; of any other the server is asked. Until an answer is there
 * the list stays as it was.
 */
export function useCardList<Row extends ContentRow>(
  kind: ListKind<Row>,
  listing: Listing<Row>,
  search: Search,
): ShownList<Row> {
  const { whole, needAll } = useWhole(kind, listing);
  const deferred = useDeferredValue(search);
  const isShort = Array.isArray(whole) && whole.length <= SEARCHED_AT_ONCE;
  const searchHere = isShort ? search : deferred;
  const isOwnSearch = isSame(searchHere, listing.search);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each search it is tried again, if it has failed
  useEffect(() => {
    if (!isOwnSearch) needAll();
  }, [isOwnSearch, needAll, searchHere]);
  const remote = useRemote(kind, listing, search, whole === "too-many");
  const own = useOwnCards(listing);
  const here = useMemo((): Found<Row> | undefined => {
    if (Array.isArray(whole)) {
      return { list: wholeList(searchCards(kind, whole, searchHere)), search: searchHere };
    }
    return isOwnSearch ? { list: wholeList(own), search: searchHere } : undefined;
  }, [kind, whole, searchHere, own, isOwnSearch]);

  const found = whole === "too-many" ? remote : here;
  const last = useRef<Found<Row>>(undefined);
  if (found) last.current = found;
  const shown = last.current ?? { list: wholeList(own), search: listing.search };
  return {
    ...shown,
    isAnswer: found !== undefined && isSame(found.search, search),
    needAll,
  };
}

/**
 * Takes what the page has loaded of its list, returns its cards. A reload brings the first few only: they do not take
 * the place of more of the same list, which stays until all of it is here.
 */
function useOwnCards<Row extends ContentRow>(listing: Listing<Row>): CardData<Row>[] {
  const [longest, setLongest] = useState(listing);
  const isShorter = listing.next !== null && listing.cards.length < longest.cards.length;
  const isKept = isShorter && isSame(listing.search, longest.search);
  if (!isKept && longest !== listing) setLongest(listing);
  return (isKept ? longest : listing).cards;
}

function isSame(a: Search, b: Search): boolean {
  return formatSearch(a) === formatSearch(b);
}

function searchCards<Row extends ContentRow>(kind: ListKind<Row>, cards: CardData<Row>[], search: Search) {
  const byId = new Map(cards.map((card) => [card.item.id, card]));
  const items = cards.map(({ item }) => item);
  return searchItems(items, kind.searched, search).flatMap(({ id }) => byId.get(id) ?? []);
}

/**
 * Fetches the whole list once it is needed, and again after each reload of the page's own cards. A failed load shows
 * nothing (specification §8): whoever needs the list next asks again.
 */
function useWhole<Row extends ContentRow>(
  kind: ListKind<Row>,
  listing: Listing<Row>,
): { whole: Whole<Row>; needAll(): void } {
  const [whole, setWhole] = useState<Whole<Row>>(undefined);
  const [asked, ask] = useReducer((times: number) => times + 1, 0);
  const isAsked = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new listing means that something was written
  useEffect(() => {
    if (asked === 0) return;
    const abort = new AbortController();
    isAsked.current = true;
    askList<{ cards: CardData<Row>[] | null }>(kind.table, { ask: "whole" }, abort.signal).then(
      ({ cards }) => setWhole(cards ?? "too-many"),
      () => {
        if (!abort.signal.aborted) isAsked.current = false;
      },
    );
    return () => abort.abort();
  }, [kind, listing, asked]);
  const needAll = useCallback(() => {
    if (!isAsked.current) ask();
  }, []);
  return { whole, needAll };
}

/** What the server answered: the list of a search, as it was when the page's own cards were loaded. */
interface Answer<Row extends ContentRow> extends Found<Row> {
  listing: Listing<Row>;
}

/** Keeps the list of the current search while the whole list is too long to be fetched. */
function useRemote<Row extends ContentRow>(
  kind: ListKind<Row>,
  listing: Listing<Row>,
  search: Search,
  isActive: boolean,
): Found<Row> | undefined {
  const [answer, setAnswer] = useState<Answer<Row> & { list: RemoteList<Row> }>();
  const known = useMemo(
    () => (answer?.listing === listing ? answerFrom(kind, answer, search) : undefined),
    [kind, answer, listing, search],
  );
  const isKnown = known !== undefined;
  useEffect(() => {
    if (!isActive || isKnown) return;
    const abort = new AbortController();
    askList<Stretch<Row>>(kind.table, { ask: "stretch", search, after: null, offset: 0 }, abort.signal).then(
      (first) => {
        setAnswer({ list: new RemoteList(kind.table, search, first), search, listing });
      },
      () => undefined,
    );
    return () => abort.abort();
  }, [kind, listing, search, isActive, isKnown]);
  useEffect(() => () => answer?.list.close(), [answer]);
  return known ?? answer;
}

/** Returns what an answer tells of a search: of a narrower one all there is to know, when all its cards are here. */
function answerFrom<Row extends ContentRow>(
  kind: ListKind<Row>,
  answer: Found<Row>,
  search: Search,
): Found<Row> | undefined {
  if (isSame(answer.search, search)) return answer;
  const { list } = answer;
  if (!list.isWhole || !isNarrower(search, answer.search)) return undefined;
  const cards = Array.from({ length: list.count }, (_, index) => list.at(index)).filter(
    (card) => card !== undefined,
  );
  return { list: wholeList(searchCards(kind, cards, search)), search };
}
