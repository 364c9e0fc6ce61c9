import { SEARCH_FIELD, SearchForm } from "../../list/search-form.tsx";
import { CONTROL } from "../../ui/field.tsx";
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
      toSearch={(fields) => formatSearch(parseSearch(fields))}
      onType={onType}
    >
      <div className="search-text">
        <input {...SEARCH_FIELD} name="q" aria-label="Search" placeholder={placeholder} defaultValue={text} />
      </div>
      <div className="search-rest">
        <input
          {...SEARCH_FIELD}
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
    </SearchForm>
  );
}
