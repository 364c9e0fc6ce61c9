import { useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import { BareField, BareSelect } from "../../ui/field.tsx";
import { parseSearch, type Search } from "./search.ts";
import { useSetSearch } from "./search-address.ts";

/**
 * Without scripts, a form that asks for the same page by address. The fields are uncontrolled: what is typed stands in
 * them at once, and what was typed before the application stood is read when it does.
 */
export function SearchBar({
  search,
  placeholder = "Search by title or content...",
  onFocus,
  onType,
}: {
  search: Search;
  placeholder?: string;
  onType(): void;
  /** A search is about to be typed. */
  onFocus(): void;
}) {
  const { isWaiting, setSearch } = useSetSearch();
  const form = useRef<HTMLFormElement>(null);
  const read = () => {
    const fields = new FormData(form.current ?? undefined) as unknown as Record<string, string>;
    setSearch(parseSearch(new URLSearchParams(fields)));
  };
  const begin = useEffectEvent(() => {
    read();
    if (form.current?.contains(document.activeElement)) onFocus();
  });
  useEffect(() => begin(), []);

  // Before the next key: an effect after it would take back what it typed.
  const shown = useRef(search);
  useLayoutEffect(() => {
    const fields = form.current?.elements;
    if (shown.current === search || isWaiting || !fields) return;
    shown.current = search;
    for (const [name, value] of [
      ["q", search.text],
      ["author", search.author],
      ["sort", search.sort],
    ] as const) {
      (fields.namedItem(name) as HTMLInputElement).value = value;
    }
  }, [search, isWaiting]);

  return (
    <search className="search-bar">
      <form
        ref={form}
        method="get"
        onInput={() => {
          read();
          onType();
        }}
        onFocus={onFocus}
        onSubmit={(event) => event.preventDefault()}
      >
        <div className="search-text">
          <BareField
            type="search"
            name="q"
            aria-label="Search"
            placeholder={placeholder}
            defaultValue={search.text}
            autoComplete="off"
          />
        </div>
        <div className="search-rest">
          <BareField
            type="search"
            name="author"
            aria-label="Search by author"
            placeholder="Search by author..."
            defaultValue={search.author}
            autoComplete="off"
          />
          <BareSelect name="sort" aria-label="Sort" defaultValue={search.sort}>
            <option value="desc">Newest First</option>
            <option value="asc">Oldest First</option>
          </BareSelect>
        </div>
        <noscript>
          <button type="submit" className="min-h-11 bg-ink px-4 text-sm font-semibold text-paper">
            Apply
          </button>
        </noscript>
      </form>
    </search>
  );
}
