import { useCallback, useEffect, useState } from "react";
import { useLocation, useNavigate, useNavigation } from "react-router";
import { formatSearch, parseSearch, type Search } from "./search.ts";

/** WebKit throws at the hundredth change of the address within 30 seconds: 40 and 50 are left for typing. */
const BURST = 40;
const REFILL_MS = 600;

/** A token bucket: returns how long to wait before the next change (milliseconds), 0 for the change that may be made now. */
export function createPace(burst = BURST, refillMs = REFILL_MS) {
  let free = burst;
  let last = 0;
  return (now: number): number => {
    free = Math.min(burst, free + (now - last) / refillMs);
    last = now;
    if (free < 1) return Math.ceil((1 - free) * refillMs);
    free--;
    return 0;
  };
}

const pace = createPace();

/** How to change the search that the address names: through the router, in place, once a frame at most. */
export function useSetSearch(): { isWaiting: boolean; setSearch(search: Search): void } {
  const { search: query, pathname, key } = useLocation();
  const { location: next } = useNavigation();
  const navigate = useNavigate();
  const [wanted, setWanted] = useState<string>();
  const isLeaving = next !== undefined && next.pathname !== pathname;

  useEffect(() => {
    if (wanted === undefined) return;
    // A change through the router would cancel the way to the other page. Whoever comes back finds what they typed.
    if (isLeaving) {
      if (location.pathname === pathname) history.replaceState(history.state, "", pathname + wanted);
      return;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const write = () => {
      const delay = pace(performance.now());
      if (delay > 0) timer = setTimeout(write, delay);
      else void navigate({ search: wanted }, { replace: true, preventScrollReset: true });
    };
    const frame = requestAnimationFrame(write);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [wanted, isLeaving, pathname, navigate]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation may lead to the address that it left
  useEffect(() => setWanted((asked) => (asked === query ? undefined : asked)), [key, query]);

  const setSearch = useCallback((search: Search) => {
    const asked = formatSearch(search);
    const isShown = asked === formatSearch(parseSearch(new URLSearchParams(location.search)));
    // What else an address says stays until another search takes its place.
    setWanted((waiting) => (waiting === undefined && isShown ? undefined : asked));
  }, []);

  return { isWaiting: wanted !== undefined, setSearch };
}
