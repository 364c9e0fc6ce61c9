import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import { useLocation, useNavigate, useNavigation } from "react-router";
import { formatSearch, parseSearch, type Search } from "./search.ts";

/** WebKit throws at the hundredth change of the address within 30 seconds: 40 and 50 are left for typing. */
const BURST = 40;
const REFILL_MS = 600;

export function createPace() {
  let due = 0;
  return (now: number): number => {
    const next = Math.max(due, now);
    const wait = next - (BURST - 1) * REFILL_MS - now;
    if (wait <= 0) due = next + REFILL_MS;
    return Math.max(0, wait);
  };
}

const pace = createPace();

/** Keeps the form's fields and the address the same, in place and through the router. Call what it returns on input. */
export function useSearchInAddress(form: RefObject<HTMLFormElement | null>, search: Search): () => void {
  const { pathname, key } = useLocation();
  const { location: next } = useNavigation();
  const isLeaving = next !== undefined && next.pathname !== pathname;
  const navigate = useNavigate();
  const isDue = useRef(false);
  const isAhead = useRef(true);
  const typed = () => {
    const fields = new FormData(form.current ?? undefined) as unknown as Record<string, string>;
    return formatSearch(parseSearch(new URLSearchParams(fields)));
  };

  const write = useEffectEvent(() => {
    isDue.current = false;
    if (location.pathname !== pathname) return;
    const delay = pace(performance.now());
    if (delay > 0) {
      isDue.current = true;
      setTimeout(write, delay);
      return;
    }
    // Through the router it would end the way to the other page. Whoever comes back finds what they typed.
    if (isLeaving) history.replaceState(history.state, "", pathname + typed());
    else void navigate({ search: typed() }, { replace: true, preventScrollReset: true });
  });
  useEffect(() => {
    if (isLeaving && isAhead.current) write();
  }, [isLeaving]);

  // Before the next key: an effect after it would take back what it typed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation may lead to the address that it left
  useLayoutEffect(() => {
    if (isAhead.current && typed() !== formatSearch(search)) return;
    isAhead.current = false;
    const fields = form.current?.elements;
    for (const [name, value] of Object.entries({ q: search.text, author: search.author, sort: search.sort }))
      if (fields) (fields.namedItem(name) as HTMLInputElement).value = value;
  }, [search, key]);

  return () => {
    isAhead.current ||= typed() !== formatSearch(search);
    if (!isAhead.current || isDue.current) return;
    isDue.current = true;
    // Once the letter is painted, which waits for no result; keys that come faster than pictures share one change.
    requestAnimationFrame(() => setTimeout(write));
  };
}
