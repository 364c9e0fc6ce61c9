import { useEffect, useEffectEvent, useRef } from "react";
import { announce } from "../ui/announce.tsx";

/** Longer than the pause after which typed text is searched, so that slow typists don't hear a count after each key. */
const DEBOUNCE_MS = 500;

interface ShownList {
  query: string;
  cards: unknown[];
  nextQuery: string | null;
  pageCount: number;
  notes: { older?: unknown };
  cursor: { after: string | null };
}

interface ListTexts {
  /** The sentence for a list without cards. If it is empty, nothing is announced. */
  empty: string;
  /** The noun for one card, in lower case, such as "article". The plural ends in "s". */
  itemName: string;
  /** The labels of the sort selector, by the value of the URL's `sort`. The empty string is the default's value. */
  orders?: Record<string, string>;
}

/** Announces to screen readers how many results a new search has, how the list is sorted, and that cards were added. */
export function useAnnouncedList(list: ShownList, { empty, itemName, orders = {} }: ListTexts): void {
  const { query, cards, nextQuery, pageCount, notes } = list;
  // A search that continues with older items keeps its query.
  const start = `${query} ${list.cursor.after}`;
  const announced = useRef({ query, start });
  const announceResult = useEffectEvent(() => {
    const before = announced.current.query;
    announced.current = { query, start };
    const { length } = cards;
    const order = orders[sortOf(query)];
    if (order && isSortedOnly(before, query) && length > 0) announce(`Sorted by ${order.toLowerCase()}`);
    else if (length === 0 && empty) announce(notes.older ? "Nothing found so far" : empty);
    else if (length > 0)
      announce(
        `${nextQuery || notes.older ? `More than ${length}` : length} ${length === 1 ? "result" : "results"}`,
      );
  });
  useEffect(() => {
    if (announced.current.start === start) return;
    const timer = setTimeout(announceResult, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [start]);

  const shown = useRef({ query, pageCount, length: cards.length });
  useEffect(() => {
    const before = shown.current;
    shown.current = { query, pageCount, length: cards.length };
    if (query !== before.query || pageCount !== before.pageCount + 1) return;
    const added = cards.length - before.length;
    if (added > 0) announce(`${added} more ${itemName}${added === 1 ? "" : "s"}.`);
  }, [query, pageCount, cards, itemName]);
}

const sortOf = (query: string) => new URLSearchParams(query).get("sort") ?? "";

function isSortedOnly(before: string, after: string): boolean {
  const withoutSort = (query: string) => {
    const parameters = new URLSearchParams(query);
    parameters.delete("sort");
    return String(parameters);
  };
  return sortOf(before) !== sortOf(after) && withoutSort(before) === withoutSort(after);
}
