import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from "react";
import type { ContentRow } from "../../data/content-reads.ts";
import type { CardData, ListKind } from "../kind.ts";
import { formatSearch, type Search, searchItems } from "../search.ts";
import { type CardList, wholeList } from "./card-list.ts";
import { askList, RemoteList } from "./remote-list.ts";
import type { Listing, Stretch } from "./stretch.ts";

/** All cards of a list, or that they are too many; nothing until somebody needed to know. */
type Whole<Row extends ContentRow> = CardData<Row>[] | "too-many" | undefined;

/**
 * Takes a kind, the cards that the page began with and the search of the moment; returns the list to show, and
 * whether it is the
 * answer to that search already, and how to say that the visitor is about to need all of it. A list that is small enough is fetched whole and searched
 * here; of any other the server is asked. Until an answer is there the list stays as it was.
 */
export function useCardList<Row extends ContentRow>(
  kind: ListKind<Row>,
  listing: Listing<Row>,
  search: Search,
): { list: CardList<Row>; isAnswer: boolean; needAll(): void } {
  const [isNeeded, setNeeded] = useState(false);
  const isOwnSearch = isSame(search, listing.search);
  useEffect(() => {
    if (!isOwnSearch) setNeeded(true);
  }, [isOwnSearch]);
  const whole = useWhole(kind, listing, isNeeded);
  const remote = useRemote(kind, listing, search, whole === "too-many");
  const found = useMemo(() => {
    if (Array.isArray(whole)) return wholeList(searchCards(kind, whole, search));
    return isOwnSearch ? wholeList(listing.cards) : undefined;
  }, [kind, whole, search, listing, isOwnSearch]);

  const list = whole === "too-many" ? remote : found;
  const shown = useRef<CardList<Row>>(undefined);
  if (list) shown.current = list;
  return {
    list: shown.current ?? wholeList(listing.cards),
    isAnswer: list !== undefined,
    needAll: useCallback(() => setNeeded(true), []),
  };
}

function isSame(a: Search, b: Search): boolean {
  return formatSearch(a) === formatSearch(b);
}

function searchCards<Row extends ContentRow>(kind: ListKind<Row>, cards: CardData<Row>[], search: Search) {
  const byId = new Map(cards.map((card) => [card.item.id, card]));
  const items = cards.map(({ item }) => item);
  return searchItems(items, kind.searched, search).flatMap(({ id }) => byId.get(id) ?? []);
}

/** Fetches the whole list once it is needed, and again after each reload of the page's own cards. */
function useWhole<Row extends ContentRow>(
  kind: ListKind<Row>,
  listing: Listing<Row>,
  isNeeded: boolean,
): Whole<Row> {
  const [whole, setWhole] = useState<Whole<Row>>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new listing means that something was written
  useEffect(() => {
    if (!isNeeded) return;
    const abort = new AbortController();
    askList<{ cards: CardData<Row>[] | null }>(kind.table, { ask: "whole" }, abort.signal).then(
      ({ cards }) => setWhole(cards ?? "too-many"),
      // Specification §8: a failed load shows nothing; the next change of the search asks again.
      () => undefined,
    );
    return () => abort.abort();
  }, [kind, listing, isNeeded]);
  return whole;
}

/** Keeps the list of the current search while the whole list is too long to be fetched. */
function useRemote<Row extends ContentRow>(
  kind: ListKind<Row>,
  listing: Listing<Row>,
  search: Search,
  isActive: boolean,
): CardList<Row> | undefined {
  const [, changed] = useReducer((count: number) => count + 1, 0);
  const [remote, setRemote] = useState<RemoteList<Row>>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new listing means that something was written
  useEffect(() => {
    if (!isActive) return;
    const abort = new AbortController();
    askList<Stretch<Row>>(kind.table, { ask: "stretch", search, after: null, offset: 0 }, abort.signal).then(
      (first) =>
        setRemote((previous) => {
          previous?.close();
          return new RemoteList(kind.table, search, first, changed);
        }),
      () => undefined,
    );
    return () => abort.abort();
  }, [kind, listing, search, isActive]);
  return remote;
}
