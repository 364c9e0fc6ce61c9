import { type ReactNode, type SubmitEvent, useRef } from "react";
import { useLocation } from "react-router";
import { Button } from "../ui/button.tsx";
import { useTypedSearch } from "./use-typed-search.ts";

interface SearchFormProps {
  /** The fields' values in the URL. */
  values: Record<string, string>;
  /** Converts the fields' values to a URL query. */
  toQuery(fields: URLSearchParams): string;
  onType?(): void;
  children: ReactNode;
}

/** A form that submits itself while the reader types. Without scripts, it is an ordinary GET form with a button. */
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
