import { useCallback, useEffect, useEffectEvent, useMemo, useReducer, useRef, useState } from "react";
import { useFetcher, useLocation, useNavigate, useNavigation } from "react-router";
import { isUuid } from "../../common/data/addresses.ts";
import { hrefOf, useFailedLoads } from "../router/failed-loads.ts";
import { aroundId, listReducer, nextPageQuery, olderQuery, startList } from "./list.ts";
import type { LoadedList } from "./loaded-list.ts";
import { SEARCH_PAUSE_MS } from "./search-params.ts";

/**
 * WebKit throws if a page changes its URL more than 100 times in 30 seconds.
 * After this many searches, the pause is longer, so that 30 seconds of typing change the URL at most 95 times.
 */
const QUICK_SEARCHES = 40;
const LONG_PAUSE_MS = 400;

export type ListOnScreen<Card> = ReturnType<typeof useList<Card>>;

interface ListOptions<Card> {
  /** The `list` that the route's loader returned. A new object means that a navigation has loaded it. */
  result: LoadedList<Card>;
  /** Must be the same function in every render. */
  idOf(card: Card): string;
  /** Whether the loader finds the part of the list around an item (`?around=`), which the URL's fragment may name. */
  findsItems?: boolean;
}

/**
 * Holds a route's list. The route's loader must return `{ list: LoadedList }`. Sends the requests that the list's state
 * asks for (`list.ts`), and makes the URL follow the cards on the screen.
 */
export function useList<Card>({ result, idOf, findsItems = false }: ListOptions<Card>) {
  const { pathname, search, hash, key } = useLocation();
  const navigate = useNavigate();
  const reduce = useMemo(() => listReducer(idOf), [idOf]);
  const [list, send] = useReducer(reduce, startList(result, search));
  const [arrivedResult, setArrivedResult] = useState(result);
  if (result !== arrivedResult) {
    setArrivedResult(result);
    send({ type: "arrived", result, search });
  }
  const { status, url, arrivals } = list;
  const { request } = status;

  const { location: next } = useNavigation();
  const isOwnNavigation = next?.pathname === pathname && next.search === url.search && search !== url.search;
  const isLeaving = next !== undefined && !isOwnNavigation;

  const { load, reset, data } = useFetcher<{ list: LoadedList<Card> }>();
  const failedLoads = useFailedLoads();
  const hasFailed = request !== null && failedLoads.includes(hrefOf(pathname + request.search));
  useEffect(() => {
    if (request) void load(pathname + request.search);
  }, [request, load, pathname]);
  useEffect(() => {
    if (data) send(data.list.hasFailed ? { type: "failed" } : { type: "loaded", part: data.list });
  }, [data]);
  useEffect(() => {
    if (!hasFailed) return;
    reset();
    send({ type: "failed" });
  }, [hasFailed, reset]);
  // A pending request must not replace a list that has arrived.
  useEffect(() => {
    if (isLeaving) send({ type: "leaving" });
    // Not when the page loads: a reset renders all routes again, before an early search.
    if (isLeaving || arrivals > 0) reset();
  }, [isLeaving, arrivals, reset]);

  const typedQuery = status.is === "typed" ? status.query : null;
  const searches = useRef(0);
  useEffect(() => {
    // Don't search while another page loads: the search would change the URL, which cancels the navigation.
    if (typedQuery === null || isLeaving) return;
    const pause = searches.current < QUICK_SEARCHES ? SEARCH_PAUSE_MS : LONG_PAUSE_MS;
    const timer = setTimeout(() => {
      searches.current++;
      send({ type: "paused" });
    }, pause);
    return () => clearTimeout(timer);
  }, [typedQuery, isLeaving]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: following a link to the same fragment changes only the key, and typing a fragment may change only the hash
  useEffect(() => {
    const id = hash.slice(1);
    if (findsItems && isUuid(id)) send({ type: "wantsItem", id });
  }, [key, hash, findsItems]);

  const written = useRef(url);
  const writeUrl = useEffectEvent(() => {
    const before = written.current;
    written.current = url;
    const isEntered = url.entered > before.entered;
    if (isLeaving || (url.search === search && !isEntered)) return;
    // Typing has replaced the entry. Restore it, so that Back leads from the entered search to the list before it.
    if (isEntered && search !== before.entry)
      history.replaceState(history.state, "", pathname + before.entry);
    const soughtId = aroundId(url.search);
    const isItemFound = soughtId !== null && soughtId !== aroundId(before.search);
    void navigate(
      // Otherwise omit the URL's fragment: React Router would scroll back to the card that it names.
      { search: url.search, hash: isItemFound ? hash : "" },
      { replace: !isEntered, preventScrollReset: !isItemFound, defaultShouldRevalidate: false },
    );
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each list on the screen has its own URL
  useEffect(() => writeUrl(), [url]);

  const waiting = useRef<(() => void)[]>([]);
  const isSettled = status.is === "idle" || status.is === "failed";
  useEffect(() => {
    if (isSettled) for (const resolve of waiting.current.splice(0)) resolve();
  }, [isSettled]);
  /** Reads the loaded pages again, because an item has changed. Resolves once they are on the screen, or have failed. */
  const reload = useCallback(
    () =>
      new Promise<void>((resolve) => {
        waiting.current.push(resolve);
        send({ type: "changed" });
      }),
    [],
  );

  return useMemo(
    () => ({
      ...list,
      /** The URL query of the next page. Null at the end of the list. */
      nextQuery: nextPageQuery(list),
      /** The URL query that continues a search which has stopped because it has reached its budget. */
      olderQuery: olderQuery(list),
      isSearching: status.is === "searching",
      /** Whether a request is pending, or the reader has typed a search. */
      isBusy: !isSettled,
      hasPageFailed: status.is === "failed" && status.isPage,
      showMore: () => send({ type: "wantsMore" }),
      /** `query` is the URL query of the fields' values. Searches for it after a pause. */
      type: (query: string) => send({ type: "typed", query }),
      /** Searches for what has been typed without a further pause. */
      searchTyped: () => send({ type: "paused" }),
      /** Searches for a query, and adds the search to the history. */
      enter: (query: string) => send({ type: "submitted", query }),
      reload,
      /** Shows a saved card before the list is read again. */
      change: (id: string, change: (card: Card) => Card) => send({ type: "saved", id, change }),
      remove: (id: string) => send({ type: "removed", id }),
    }),
    [list, status, isSettled, reload],
  );
}
