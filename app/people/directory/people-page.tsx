import { useMemo } from "react";
import { useLocation } from "react-router";
import type { ListedPerson } from "../../data/people-reads.ts";
import { SKILL_CATEGORIES } from "../../data/vocabulary.ts";
import type { ListPage } from "../../list/list-page.ts";
import { PagedList } from "../../list/paged-list.tsx";
import { SEARCH_FIELD, SearchForm } from "../../list/search-form.tsx";
import { useAnnouncedResult } from "../../list/use-announced-result.ts";
import { useListTop } from "../../list/use-list-top.ts";
import { usePages } from "../../list/use-pages.ts";
import { CONTROL } from "../../ui/field.tsx";
import { formatPeopleSearch, parsePeopleSearch } from "./people-search.ts";
import { PersonRow } from "./person-row.tsx";

export const PEOPLE_DESCRIPTION =
  "Everyone who shares what they know here, by name, title, company and skill.";
const EMPTY = "No professionals found matching your search criteria.";

export function PeoplePage({ page }: { page: ListPage<ListedPerson> | null }) {
  const { search: query } = useLocation();
  const search = useMemo(() => parsePeopleSearch(new URLSearchParams(query)), [query]);
  const { text, category, sort } = search;
  const startSearch = formatPeopleSearch(search);
  const pages = usePages(page);
  const { list, showTop } = useListTop();
  useAnnouncedResult(startSearch, page, EMPTY);
  return (
    <>
      <h1 className="font-display text-title font-bold tracking-tight">Professionals</h1>
      <p className="mt-3 mb-6 text-lg text-balance text-muted">{PEOPLE_DESCRIPTION}</p>
      <SearchForm
        values={{ q: text, category, sort }}
        toSearch={(fields) => formatPeopleSearch(parsePeopleSearch(fields))}
        onType={showTop}
      >
        <div className="search-text">
          <input
            {...SEARCH_FIELD}
            name="q"
            aria-label="Search"
            placeholder="Search by name, title, company or skill..."
            defaultValue={text}
          />
        </div>
        <div className="search-rest">
          <select name="category" aria-label="Category" className={CONTROL} defaultValue={category}>
            <option value="">All Categories</option>
            {Object.entries(SKILL_CATEGORIES).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
          <select name="sort" aria-label="Sort" className={CONTROL} defaultValue={sort}>
            <option value="experience">Most Experienced</option>
            <option value="name">By Name</option>
          </select>
        </div>
      </SearchForm>
      <div className="mt-8">
        <PagedList
          {...pages}
          ref={list}
          startSearch={startSearch}
          empty={EMPTY}
          idOf={({ id }) => id}
          renderCard={(person) => <PersonRow person={person} />}
        />
      </div>
    </>
  );
}
