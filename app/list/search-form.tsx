import {
  type ReactNode,
  type SubmitEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { Form, useLocation, useNavigation, useSubmit } from "react-router";
import { Button } from "../ui/button.tsx";
import { CONTROL } from "../ui/field.tsx";
import { MAX_SEARCH_LENGTH } from "./search-params.ts";

const DEBOUNCE_MS = 200;
/** WebKit throws if a page changes its URL 100 times in 30 seconds, so after 40 quick searches, each waits 600 ms. */
const QUICK_SEARCHES = 40;
const INTERVAL_MS = 600;

interface SearchFormProps {
  /** The fields' values according to the URL. */
  values: Record<string, string>;
  /** Converts the fields' values to the query of the URL. */
  toSearch(fields: URLSearchParams): string;
  onType?(): void;
  children: ReactNode;
}

/**
 * A GET form that submits itself while the reader types. Its fields are uncontrolled, so that a late result never
 * overwrites what the reader has typed since.
 */
export function SearchForm({ values, toSearch, onType, children }: SearchFormProps) {
  const { pathname, key } = useLocation();
  const { location: pending } = useNavigation();
  const submit = useSubmit();
  const form = useRef<HTMLFormElement>(null);
  const inUrl = toSearch(new URLSearchParams(values));
  const [typed, setTyped] = useState(inUrl);
  /** The search that the page shows, followed by the submitted searches that are still pending. */
  const searches = useRef([inUrl]);
  /** The end of the last booked interval. Each search books `INTERVAL_MS`, starting there or, if it is past, now. */
  const bookedUntil = useRef(0);
  const isLeaving = pending !== undefined && pending.pathname !== pathname;

  const readFields = () =>
    toSearch(
      new URLSearchParams(new FormData(form.current ?? undefined) as unknown as Record<string, string>),
    );

  function submitSearch(query: string) {
    if (query === searches.current.at(-1)) return;
    searches.current.push(query);
    bookedUntil.current = Math.max(bookedUntil.current, performance.now()) + INTERVAL_MS;
    const options = { action: pathname, replace: true, preventScrollReset: true } as const;
    void submit(new URLSearchParams(query), options);
  }

  // Don't debounce what the reader typed before hydration: they have waited long enough.
  const submitEarly = useEffectEvent(() => {
    setTyped(readFields());
    submitSearch(readFields());
  });
  useEffect(() => submitEarly(), []);

  const submitTyped = useEffectEvent(() => submitSearch(typed));
  useEffect(() => {
    // A submission would cancel the navigation to another page.
    if (typed === searches.current.at(-1) || isLeaving) return;
    const earliest = bookedUntil.current - QUICK_SEARCHES * INTERVAL_MS;
    const timer = setTimeout(submitTyped, Math.max(DEBOUNCE_MS, earliest - performance.now()));
    return () => clearTimeout(timer);
  }, [typed, isLeaving]);

  // Back, Forward and links change the URL's search and therefore the fields. The form's own searches must not
  // change the fields: by the time one arrives, the reader may have typed more.
  const followUrl = useEffectEvent(() => {
    const index = searches.current.lastIndexOf(inUrl);
    if (index > 0 || (index === 0 && searches.current.length === 1)) {
      searches.current = searches.current.slice(index);
      return;
    }
    searches.current = [inUrl];
    setTyped(inUrl);
    for (const [name, value] of Object.entries(values)) {
      const field = form.current?.elements.namedItem(name);
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value;
    }
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link may lead to the URL of a search that is still pending
  useLayoutEffect(() => followUrl(), [key]);

  function onInput() {
    setTyped(readFields());
    onType?.();
  }

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    submitSearch(readFields());
  }

  return (
    <search className="search-bar">
      <Form ref={form} method="get" action={pathname} onInput={onInput} onSubmit={onSubmit}>
        {children}
        {/* Even if hidden, a button lets Enter submit a form with several fields before hydration. */}
        <div className="hidden noscript:block">
          <Button type="submit" variant="primary">
            Apply
          </Button>
        </div>
      </Form>
    </search>
  );
}

interface SearchFieldProps {
  name: string;
  label: string;
  value: string;
}

export function SearchField({ name, label, value, placeholder }: SearchFieldProps & { placeholder: string }) {
  return (
    <input
      type="search"
      name={name}
      aria-label={label}
      placeholder={placeholder}
      defaultValue={value}
      autoComplete="off"
      dir="auto"
      maxLength={MAX_SEARCH_LENGTH}
      className={CONTROL}
    />
  );
}

interface SearchSelectProps extends SearchFieldProps {
  /** Labels by value. */
  options: Record<string, string>;
}

export function SearchSelect({ name, label, value, options }: SearchSelectProps) {
  return (
    <select name={name} aria-label={label} defaultValue={value} className={CONTROL}>
      {Object.entries(options).map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  );
}
