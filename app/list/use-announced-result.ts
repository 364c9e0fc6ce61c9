import { useEffect, useEffectEvent, useRef } from "react";
import { announce } from "../ui/announce.tsx";
import type { LoadedList } from "./loaded-list.ts";

/** Longer than the pause after which typed text is searched, so that slow typists don't hear a count after each key. */
const DEBOUNCE_MS = 500;

/**
 * Announces to screen readers how many results a new search has.
 *
 * @param list null after a failed load, which is not announced (specification §8)
 */
export function useAnnouncedResult(query: string, list: LoadedList<unknown> | null, empty: string): void {
  const announced = useRef(query);
  const announceResult = useEffectEvent(() => {
    if (!list) return;
    announced.current = query;
    const { length } = list.cards;
    if (length === 0) announce(empty);
    else announce(`${list.next ? `More than ${length}` : length} ${length === 1 ? "result" : "results"}`);
  });
  useEffect(() => {
    if (!list || announced.current === query) return;
    const timer = setTimeout(announceResult, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [query, list]);
}
