import {
  type FormEvent,
  type ReactNode,
  type SubmitEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
} from "react";
import { Link, useLocation } from "react-router";
import { Button } from "../ui/button.tsx";
import { CONTROL } from "../ui/field.tsx";
import { formatQuery, MAX_SEARCH_LENGTH } from "./search-params.ts";
import type { ListOnScreen } from "./use-list.ts";

export type SearchedList = Pick<ListOnScreen<unknown>, "arrivals" | "type" | "searchTyped" | "enter">;

interface SearchFormProps {
  list: SearchedList;
  /** The fields' values for the list on the screen. */
  values: Record<string, string>;
  /** Converts the fields' values to a URL query. */
  toQuery(fields: URLSearchParams): string;
  onType?(): void;
  children: ReactNode;
}

/**
 * A form that searches while the reader types. If scripts are off, it is an ordinary GET form with a button. Its fields
 * are uncontrolled, so that a late result never overwrites what the reader has typed since.
 */
export function SearchForm({ list, values, toQuery, onType, children }: SearchFormProps) {
  const { pathname } = useLocation();
  const form = useRef<HTMLFormElement>(null);

  function readFields(): string {
    const fields = new FormData(form.current ?? undefined) as unknown as Record<string, string>;
    return toQuery(new URLSearchParams(fields));
  }

  // Don't pause before searching for what the reader typed before hydration: they have waited long enough.
  const searchEarly = useEffectEvent(() => {
    list.type(readFields());
    list.searchTyped();
  });
  useEffect(() => {
    // The timer lets React finish its current task. Otherwise it would hydrate the list before the request is sent.
    const timer = setTimeout(searchEarly);
    return () => clearTimeout(timer);
  }, []);

  const fillIn = useEffectEvent(() => {
    for (const [name, value] of Object.entries(values)) {
      const field = form.current?.elements.namedItem(name);
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value;
    }
  });
  const { arrivals } = list;
  useLayoutEffect(() => {
    if (arrivals > 0) fillIn();
  }, [arrivals]);

  function type() {
    list.type(readFields());
    onType?.();
  }

  // An input method for Japanese, for example, changes the field several times before the word is complete.
  function onInput({ nativeEvent, target }: FormEvent) {
    if (target instanceof HTMLSelectElement && target.dataset["addsEntries"] !== undefined) choose();
    else if (!(nativeEvent instanceof InputEvent && nativeEvent.isComposing)) type();
  }

  function choose() {
    list.enter(readFields());
    onType?.();
  }

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    list.enter(readFields());
  }

  return (
    <search className="search-bar">
      <form
        ref={form}
        method="get"
        action={pathname}
        onInput={onInput}
        onCompositionEnd={type}
        onSubmit={onSubmit}
      >
        {children}
        {/* Before hydration, Enter submits a form with several fields only if it has a button, which may be hidden. */}
        <div className="hidden noscript:block">
          <Button type="submit" variant="primary">
            Apply
          </Button>
        </div>
      </form>
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
  /** Maps each value to its label. */
  options: Record<string, string>;
  /** Whether each choice adds an entry to the history, as a link does. */
  addsEntries?: boolean;
}

export function SearchSelect({ name, label, value, options, addsEntries }: SearchSelectProps) {
  return (
    <select
      name={name}
      aria-label={label}
      defaultValue={value}
      data-adds-entries={addsEntries}
      className={CONTROL}
    >
      {Object.entries(options).map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** Links below a list's search to the search over everything, with the same text, and to the professionals. */
export function SearchElsewhere({ text, hasPeople = true }: { text: string; hasPeople?: boolean }) {
  return (
    <p className="search-elsewhere">
      <Link to={{ pathname: "/search", search: formatQuery({ q: text }) }}>Search the whole site</Link>
      {hasPeople && <Link to="/people">Professionals</Link>}
    </p>
  );
}
