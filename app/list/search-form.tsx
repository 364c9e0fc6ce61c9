import { type ReactNode, type SubmitEvent, useRef } from "react";
import { useLocation } from "react-router";
import { Button } from "../ui/button.tsx";
import { useTypedSearch } from "./use-typed-search.ts";

interface SearchFormProps {
  /** The values of the fields according to the URL. */
  values: Record<string, string>;
  /** Converts the values of the fields to the query of the URL. */
  toSearch(fields: URLSearchParams): string;
  onType?(): void;
  children: ReactNode;
}

/** Submits itself while the reader types. Without scripts, it is an ordinary GET form with a button. */
export function SearchForm({ values, toSearch, onType, children }: SearchFormProps) {
  const { pathname } = useLocation();
  const form = useRef<HTMLFormElement>(null);
  const search = useTypedSearch(form, values, toSearch);

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
        {/* Even if hidden, a button lets Enter submit a form with several fields before hydration. */}
        <div className="hidden noscript:block">
          <Button type="submit" variant="primary">
            Apply
          </Button>
        </div>
      </form>
    </search>
  );
}
