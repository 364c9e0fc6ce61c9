import { useState } from "react";
import { useLocation } from "react-router";
import { formatSearch, parseSearch, type Search } from "./search.ts";

/** The search that a content page shows. */
interface CurrentSearch {
  search: Search;
  setSearch(search: Search): void;
  /** Changes with each visit to the page: the fields begin anew with what the address says. */
  visit: string;
}

/**
 * Returns the search that the address names, and how to change it. The address follows every change in place:
 * it adds no step to the history and loads nothing, because the list is searched where it is.
 */
export function useSearch(): CurrentSearch {
  const { key, pathname, search: query } = useLocation();
  const [visit, setVisit] = useState(key);
  const [search, setSearch] = useState(() => parseSearch(new URLSearchParams(query)));
  if (visit !== key) {
    setVisit(key);
    setSearch(parseSearch(new URLSearchParams(query)));
  }
  return {
    search,
    visit,
    setSearch(next) {
      if (formatSearch(next) === formatSearch(search)) return;
      setSearch(next);
      history.replaceState(history.state, "", `${pathname}${formatSearch(next)}${location.hash}`);
    },
  };
}
