import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import { useLocation, useNavigate, useNavigation } from "react-router";
import { createPace } from "../../ui/address-pace.ts";
import { formatSearch, parseSearch, type Search } from "./search.ts";

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
    const wait = pace(performance.now());
    isDue.current = wait > 0;
    if (isDue.current) setTimeout(write, wait);
    // Through the router it would end the way to the other page. Whoever comes back finds what they typed.
    else if (isLeaving) history.replaceState(history.state, "", pathname + typed());
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
