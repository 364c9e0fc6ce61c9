import { useEffect, useEffectEvent, useRef } from "react";
import { Button } from "../../ui/button.tsx";
import { CONTROL } from "../../ui/field.tsx";
import type { Search } from "./search.ts";
import { useSearchInAddress } from "./search-address.ts";

const TEXT_FIELD = { type: "search", autoComplete: "off", dir: "auto", className: CONTROL };

interface SearchBarProps {
  search: Search;
  placeholder: string;
  onType(): void;
  onFocus(): void;
}

/** The fields are uncontrolled: what was typed before the application stood is read when it does. */
export function SearchBar({ search, placeholder, onFocus, onType }: SearchBarProps) {
  const { text, author, sort } = search;
  const form = useRef<HTMLFormElement>(null);
  const read = useSearchInAddress(form, search);
  const begin = useEffectEvent(() => {
    read();
    if (form.current?.contains(document.activeElement)) onFocus();
  });
  useEffect(() => begin(), []);

  return (
    <search className="search-bar" onInput={onType}>
      <form ref={form} onInput={read} onFocus={onFocus} onSubmit={(event) => event.preventDefault()}>
        <div className="search-text">
          <input {...TEXT_FIELD} name="q" aria-label="Search" placeholder={placeholder} defaultValue={text} />
        </div>
        <div className="search-rest">
          <input
            {...TEXT_FIELD}
            name="author"
            aria-label="Search by author"
            placeholder="Search by author..."
            defaultValue={author}
          />
          <select name="sort" aria-label="Sort" className={CONTROL} defaultValue={sort}>
            <option value="desc">Newest First</option>
            <option value="asc">Oldest First</option>
          </select>
        </div>
        <noscript>
          <Button type="submit" variant="primary">
            Apply
          </Button>
        </noscript>
      </form>
    </search>
  );
}
