import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { formatSearch, parseSearch, type Search } from "./search.ts";

/**
 * Returns the search that the address names, and how to change it. The address follows every change in place:
 * it adds no step to the history and loads nothing, because the list is searched where it is.
 */
export function useSearch(): [Search, (search: Search) => void] {
  const location = useLocation();
  const [search, setSearch] = useState(() => parseSearch(new URLSearchParams(location.search)));

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new visit to the page begins with what its address says
  useEffect(() => setSearch(parseSearch(new URLSearchParams(location.search))), [location.key]);

  return [
    search,
    (next) => {
      setSearch(next);
      history.replaceState(
        history.state,
        "",
        `${location.pathname}${formatSearch(next)}${window.location.hash}`,
      );
    },
  ];
}
