import { useEffect, useEffectEvent, useRef } from "react";
import { CONTROL } from "../../ui/field.tsx";
import type { Search } from "./search.ts";
import { useSearchInAddress } from "./search-address.ts";

/** The fields are uncontrolled: what was typed before the application stood is read when it does. */
export function SearchBar({
  search,
  placeholder,
  onFocus,
  onType,
}: {
  search: Search;
  placeholder: string;
  onType(): void;
  onFocus(): void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const read = useSearchInAddress(form, search);
  const begin = useEffectEvent(() => {
    read();
    if (form.current?.contains(document.activeElement)) onFocus();
  });
  useEffect(() => begin(), []);

  const textField = { type: "search", autoComplete: "off", dir: "auto", className: CONTROL };
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
          <input
            {...textField}
            name="q"
            aria-label="Search"
            placeholder={placeholder}
            defaultValue={search.text}
          />
        </div>
        <div className="search-rest">
          <input
            {...textField}
            name="author"
            aria-label="Search by author"
            placeholder="Search by author..."
            defaultValue={search.author}
          />
          <select name="sort" aria-label="Sort" className={CONTROL} defaultValue={search.sort}>
            <option value="desc">Newest First</option>
            <option value="asc">Oldest First</option>
          </select>
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
