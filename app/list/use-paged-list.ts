import { useEffect, useEffectEvent, useState } from "react";
import { useFetcher, useLocation, useNavigate, useNavigation } from "react-router";
import { type LoadedList, MAX_PAGES } from "./loaded-list.ts";
import { KEEP_SEARCH_FIELDS } from "./use-typed-search.ts";

const EMPTY: LoadedList<never> = { cards: [], after: null, next: null, pageCount: 1 };

/**
 * Holds the list from the loader and the pages that the reader has loaded since.
 * The URL contains the number of loaded pages, at most `MAX_PAGES`, so that Back, Reload and revalidations load as many.
 *
 * @param loaded null if the load failed, which leaves the list unchanged (specification §8)
 */
export function usePagedList<Card>(loaded: LoadedList<Card> | null) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const { state } = useNavigation();
  const { load, data } = useFetcher<{ list: LoadedList<Card> | null }>();
  const [lastLoaded, setLastLoaded] = useState(loaded);
  const [list, setList] = useState(loaded ?? EMPTY);
  if (loaded && loaded !== lastLoaded) {
    setLastLoaded(loaded);
    setList(loaded);
  }

  const append = useEffectEvent((next: LoadedList<Card> | null | undefined) => {
    if (!next || next.after !== list.next) return;
    const pageCount = list.pageCount + 1;
    setList({ ...list, cards: [...list.cards, ...next.cards], next: next.next, pageCount });
    if (state !== "idle" || pageCount > MAX_PAGES) return;
    const query = new URLSearchParams(search);
    query.set("pages", String(pageCount));
    // Omit the URL's fragment: React Router would scroll back to the card that it names.
    void navigate(
      { search: `?${query}` },
      {
        replace: true,
        preventScrollReset: true,
        defaultShouldRevalidate: false,
        state: KEEP_SEARCH_FIELDS,
      },
    );
  });
  useEffect(() => append(data?.list), [data]);

  const nextQuery = list.next && withCursor(search, list.next);
  return { list, nextQuery, showMore: () => void (nextQuery && load(pathname + nextQuery)) };
}

function withCursor(search: string, after: string): string {
  const query = new URLSearchParams(search);
  for (const name of ["around", "pages"]) query.delete(name);
  query.set("after", after);
  return `?${query}`;
}
