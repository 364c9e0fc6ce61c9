import { SearchField, SearchForm, SearchSelect } from "../../list/search-form.tsx";
import { formatSearch, parseSearch, type Search } from "./search.ts";

interface SearchBarProps {
  search: Search;
  placeholder: string;
  onType(): void;
}

export function SearchBar({ search: { text, author, sort }, placeholder, onType }: SearchBarProps) {
  return (
    <SearchForm
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
        <SearchSelect
          name="sort"
          label="Sort"
          options={{ desc: "Newest First", asc: "Oldest First" }}
          value={sort}
        />
      </div>
    </SearchForm>
  );
}
