import { useEffect, useRef } from "react";
import { BareField, BareSelect } from "../ui/field.tsx";
import type { Search } from "./search.ts";

/**
 * Takes a search, the placeholder of its general field, and what to do when the visitor changes it.
 * Without JavaScript it is a form that asks for the same page by address. The fields are uncontrolled:
 * what was typed before the application stood is read when it does.
 */
export function SearchBar({
  search,
  placeholder = "Search by title or content...",
  onSearch,
  onFocus,
}: {
  search: Search;
  placeholder?: string;
  onSearch(search: Search): void;
  /** Told when a search is about to be typed. */
  onFocus(): void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const read = () => {
    const fields = new FormData(form.current ?? undefined);
    onSearch({
      text: String(fields.get("q") ?? ""),
      author: String(fields.get("author") ?? ""),
      sort: fields.get("sort") === "asc" ? "asc" : "desc",
    });
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what was done before React stood
  useEffect(() => {
    read();
    if (form.current?.contains(document.activeElement)) onFocus();
  }, []);

  return (
    <search>
      <form
        ref={form}
        method="get"
        onInput={read}
        onFocus={onFocus}
        onSubmit={(event) => event.preventDefault()}
        className="grid gap-3 sm:grid-cols-[1fr_14rem_11rem]"
      >
        <BareField
          type="search"
          name="q"
          aria-label="Search"
          placeholder={placeholder}
          defaultValue={search.text}
          autoComplete="off"
        />
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
        <noscript>
          <button type="submit" className="min-h-11 rounded-md bg-ink px-4 text-sm font-semibold text-on-ink">
            Apply
          </button>
        </noscript>
      </form>
    </search>
  );
}
