import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { useLocation, useNavigation, useNavigationType, useSubmit } from "react-router";

const PAUSE_MS = 200;
/**
 * WebKit throws if a page changes its URL more than 100 times in 30 seconds.
 * After this many searches, the pause is longer, so that 30 seconds of typing change the URL at most 95 times.
 */
const QUICK_SEARCHES = 40;
const LONG_PAUSE_MS = 400;

/** The location state of navigations that change a list's URL but not the fields of its search form. */
export const KEEP_SEARCH_FIELDS = { keepsSearchFields: true };

/**
 * Submits a search form after a pause in typing, and fills in its fields when Back, Forward or a link changes the URL.
 * The fields are uncontrolled, so that a late result never overwrites what the reader has typed since.
 *
 * @param values the fields' values in the URL
 * @param toQuery converts the fields' values to a URL query
 */
export function useTypedSearch(
  form: RefObject<HTMLFormElement | null>,
  values: Record<string, string>,
  toQuery: (fields: URLSearchParams) => string,
) {
  const { pathname, key, state } = useLocation();
  const navigationType = useNavigationType();
  const { location: next } = useNavigation();
  const submit = useSubmit();
  const queryInUrl = toQuery(new URLSearchParams(values));
  /** The URL query that matches the fields' current values. */
  const [typed, setTyped] = useState(queryInUrl);
  const submitted = useRef(queryInUrl);
  const submitCount = useRef(0);
  const isLeaving = next !== undefined && next.pathname !== pathname;

  function readFields(): string {
    const fields = new FormData(form.current ?? undefined) as unknown as Record<string, string>;
    return toQuery(new URLSearchParams(fields));
  }

  function submitQuery(query: string) {
    if (query === submitted.current) return;
    submitted.current = query;
    submitCount.current++;
    const options = { action: pathname, replace: true, preventScrollReset: true, state: KEEP_SEARCH_FIELDS };
    void submit(new URLSearchParams(query), options);
  }

  const submitTyped = useEffectEvent(() => submitQuery(typed));
  useEffect(() => {
    // Don't submit while another page loads: that would cancel the navigation to it.
    if (typed === submitted.current || isLeaving) return;
    const pause = submitCount.current < QUICK_SEARCHES ? PAUSE_MS : LONG_PAUSE_MS;
    const timer = setTimeout(submitTyped, pause);
    return () => clearTimeout(timer);
  }, [typed, isLeaving]);

  // Don't pause before submitting what the reader typed before hydration: they have waited long enough.
  const submitEarly = useEffectEvent(() => {
    setTyped(readFields());
    submitQuery(readFields());
  });
  useEffect(() => {
    // The timer lets React finish its current task. Otherwise it would hydrate the list before the request is sent.
    const timer = setTimeout(submitEarly);
    return () => clearTimeout(timer);
  }, []);

  const fillIn = useEffectEvent(() => {
    if (state?.keepsSearchFields && navigationType !== "POP") return;
    submitted.current = queryInUrl;
    setTyped(queryInUrl);
    for (const [name, value] of Object.entries(values)) {
      const field = form.current?.elements.namedItem(name);
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value;
    }
  });
  const shownKey = useRef(key);
  useLayoutEffect(() => {
    if (key === shownKey.current) return;
    shownKey.current = key;
    fillIn();
  }, [key]);

  return { onInput: () => setTyped(readFields()), submitNow: () => submitQuery(readFields()) };
}
