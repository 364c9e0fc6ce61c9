import { useEffect, useEffectEvent, useRef } from "react";
import { announce } from "../ui/announce.tsx";

/** Longer than the pause after which typed text is searched, so that slow typists don't hear a count after each key. */
const DEBOUNCE_MS = 500;

interface Results {
  query: string;
  cards: unknown[];
  nextQuery: string | null;
}

/** Announces to screen readers how many results a new search has. */
export function useAnnouncedResult({ query, cards, nextQuery }: Results, empty: string): void {
  const announced = useRef(query);
  const announceResult = useEffectEvent(() => {
    announced.current = query;
    const { length } = cards;
    if (length === 0 && empty) announce(empty);
    else if (length > 0)
      announce(`${nextQuery ? `More than ${length}` : length} ${length === 1 ? "result" : "results"}`);
  });
  useEffect(() => {
    if (announced.current === query) return;
    const timer = setTimeout(announceResult, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [query]);
}
