import { useEffect, useEffectEvent, useState } from "react";
import { useFetcher, useLocation, useNavigate, useNavigation } from "react-router";
import { type ListPage, MAX_PAGES } from "./list-page.ts";

const EMPTY: ListPage<never> = { cards: [], after: null, next: null, pages: 1 };

/**
 * Holds the list from the loader and the pages that the reader has loaded since. The URL contains the number of pages,
 * so that Back, Reload and revalidations return a list of the same length.
 *
 * @param page null if the load failed, which leaves the list unchanged (specification §8)
 */
export function usePages<Card>(page: ListPage<Card> | null) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const { state } = useNavigation();
  const { load, data } = useFetcher<{ page: ListPage<Card> | null }>();
  const [loaded, setLoaded] = useState(page);
  const [list, setList] = useState(page ?? EMPTY);
  if (page && page !== loaded) {
    setLoaded(page);
    setList(page);
  }

  const addPage = useEffectEvent((added: ListPage<Card> | null | undefined) => {
    if (!added || added.after !== list.next) return;
    const pages = list.pages + 1;
    setList({ ...list, cards: [...list.cards, ...added.cards], next: added.next, pages });
    if (state !== "idle" || pages > MAX_PAGES) return;
    const query = new URLSearchParams(search);
    query.set("pages", String(pages));
    // The new URL has no fragment, because React Router would scroll back to the card that it names.
    void navigate(
      { search: `?${query}` },
      { replace: true, preventScrollReset: true, defaultShouldRevalidate: false },
    );
  });
  useEffect(() => addPage(data?.page), [data]);

  const nextSearch = list.next && withAfter(search, list.next);
  return { list, nextSearch, showMore: () => void (nextSearch && load(pathname + nextSearch)) };
}

function withAfter(search: string, after: string): string {
  const query = new URLSearchParams(search);
  for (const name of ["around", "pages"]) query.delete(name);
  query.set("after", after);
  return `?${query}`;
}
