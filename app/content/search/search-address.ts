import { useCallback, useEffect, useEffectEvent, useMemo, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
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

/** The search that the address names, and how to change it: through the router, in place, once a frame at most. */
export function useSearchInAddress(): { search: Search; setSearch(search: Search): void } {
  const { search: query, pathname, key } = useLocation();
  const navigate = useNavigate();
  const wanted = useRef<string>(undefined);
  const cancel = useRef<() => void>(() => undefined);

  const write = useCallback(() => {
    if (wanted.current === undefined) return;
    const delay = pace(performance.now());
    if (delay > 0) {
      const timer = setTimeout(write, delay);
      cancel.current = () => clearTimeout(timer);
    } else void navigate({ search: wanted.current }, { replace: true, preventScrollReset: true });
  }, [navigate]);

  const setSearch = useCallback(
    (next: Search) => {
      const asked = formatSearch(next);
      // What else an address says stays until another search takes its place.
      if (
        wanted.current === undefined &&
        asked === formatSearch(parseSearch(new URLSearchParams(location.search)))
      )
        return;
      wanted.current = asked;
      cancel.current();
      const frame = requestAnimationFrame(write);
      cancel.current = () => cancelAnimationFrame(frame);
    },
    [write],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation ends what waited for the one before it
  useEffect(() => {
    if (wanted.current === query) wanted.current = undefined;
  }, [key, query]);

  // Who leaves before the router has followed finds what they typed when they come back.
  const keep = useEffectEvent(() => {
    if (wanted.current === undefined || location.pathname !== pathname) return;
    if (location.search !== wanted.current)
      history.replaceState(history.state, "", pathname + wanted.current);
  });
  useEffect(() => {
    const onFocusOut = () => keep();
    addEventListener("focusout", onFocusOut);
    return () => {
      removeEventListener("focusout", onFocusOut);
      cancel.current();
    };
  }, []);

  return { search: useMemo(() => parseSearch(new URLSearchParams(query)), [query]), setSearch };
}
