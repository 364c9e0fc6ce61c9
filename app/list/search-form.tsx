import { type ReactNode, type SubmitEvent, useRef } from "react";
import { useLocation } from "react-router";
import { Button } from "../ui/button.tsx";
import { CONTROL } from "../ui/field.tsx";
import { MAX_SEARCH_LENGTH } from "./search-params.ts";
import { useTypedSearch } from "./use-typed-search.ts";

interface SearchFormProps {
  /** The fields' values in the URL. */
  values: Record<string, string>;
  /** Converts the fields' values to a URL query. */
  toQuery(fields: URLSearchParams): string;
  onType?(): void;
  children: ReactNode;
}

/** A form that submits itself while the reader types. If scripts are off, it is an ordinary GET form with a button. */
export function SearchForm({ values, toQuery, onType, children }: SearchFormProps) {
  const { pathname } = useLocation();
  const form = useRef<HTMLFormElement>(null);
  const search = useTypedSearch(form, values, toQuery);

  function onInput() {
    search.onInput();
    onType?.();
  }

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    search.submitNow();
  }

  return (
    <search className="search-bar">
      <form ref={form} method="get" action={pathname} onInput={onInput} onSubmit={onSubmit}>
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
