import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { afterPaint } from "../ui/after-paint.ts";
import { formatSearch, parseSearch, type Search } from "./search.ts";

/** The search that a content page shows. */
interface CurrentSearch {
  search: Search;
  setSearch(search: Search): void;
  /** Changes with each visit to the page: the fields begin anew with what the address says. */
  visit: string;
}

/** How long the address waits for an answer to the search (milliseconds): a list that fails must not lose what was typed. */
const LONGEST_WAIT = 300;

/** Returns the search that the address names, and how to change it. */
export function useSearch(): CurrentSearch {
  const { key, search: query } = useLocation();
  const [visit, setVisit] = useState(key);
  const [search, setSearch] = useState(() => parseSearch(new URLSearchParams(query)));
  if (visit !== key) {
    setVisit(key);
    setSearch(parseSearch(new URLSearchParams(query)));
  }
  return {
    search,
    visit,
    // Compared with what was set last, which need not have been drawn yet.
    setSearch: (next) => setSearch((last) => (formatSearch(next) === formatSearch(last) ? last : next)),
  };
}

/**
 * Takes the search of the moment and whether its answer is on the screen; then the address follows, in place: it adds
 * no step to the history and loads nothing, because the list is searched where it is. Not sooner, because a browser is
 * busy with a new address for longer than with a few new cards.
 */
export function useSearchInAddress(search: Search, isAnswered: boolean): void {
  const { pathname } = useLocation();
  const query = formatSearch(search);
  useEffect(() => {
    const write = () => {
      // Whoever has left meanwhile is on another page.
      if (location.pathname !== pathname) return;
      // What else an address says stays until another search takes its place.
      if (formatSearch(parseSearch(new URLSearchParams(location.search))) === query) return;
      history.replaceState(history.state, "", `${pathname}${query}${location.hash}`);
    };
    const cancel = isAnswered ? afterPaint(write) : afterLongestWait(write);
    // Whoever turns to something else, such as a link, may come back to what he typed.
    addEventListener("focusout", write);
    return () => {
      cancel();
      removeEventListener("focusout", write);
    };
  }, [pathname, query, isAnswered]);
}

function afterLongestWait(work: () => void): () => void {
  const timer = setTimeout(work, LONGEST_WAIT);
  return () => clearTimeout(timer);
}
