import { useEffect, useEffectEvent, useRef } from "react";
import { announce } from "../ui/announce.tsx";
import type { ListPage } from "./list-page.ts";

/** Longer than other delays, so that slow typists with a screen reader don't hear a count after each key. */
const DEBOUNCE_MS = 500;

/**
 * Announces to screen readers how many results a new search has.
 *
 * @param page null after a failed load, which is not announced (specification §8)
 */
export function useAnnouncedResult(search: string, page: ListPage<unknown> | null, empty: string): void {
  const announced = useRef(search);
  const announceResult = useEffectEvent(() => {
    if (!page) return;
    announced.current = search;
    const { length } = page.cards;
    if (length === 0) announce(empty);
    else announce(`${page.next ? `More than ${length}` : length} ${length === 1 ? "result" : "results"}`);
  });
  useEffect(() => {
    if (!page || announced.current === search) return;
    const timer = setTimeout(announceResult, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [search, page]);
}
