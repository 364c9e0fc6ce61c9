import { type SearchedList, SearchField, SearchForm, SearchSelect } from "../../list/search-form.tsx";

import { formatSearch, parseSearch, type Search } from "./search.ts";

/** The labels of the orders. */
export const ORDERS = { desc: "Newest First", asc: "Oldest First" };

interface SearchBarProps {
  list: SearchedList;
  search: Search;
  placeholder: string;
  onType(): void;
}

export function SearchBar({ list, search: { text, author, sort }, placeholder, onType }: SearchBarProps) {
  return (
    <SearchForm
      list={list}
      values={{ q: text, author, sort }}
      toQuery={(fields) => formatSearch(parseSearch(fields))}
      onType={onType}
    >
      <div className="search-text">
        <SearchField name="q" label="Search" placeholder={placeholder} value={text} />
      </div>
      <div className="search-rest">
        <SearchField
          name="author"
          label="Search by author"
          placeholder="Search by author..."
          value={author}
        />
        <SearchSelect name="sort" label="Sort" options={ORDERS} value={sort} />
      </div>
    </SearchForm>
  );
}
