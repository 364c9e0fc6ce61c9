import { useMemo } from "react";
import { useLocation } from "react-router";
import type { ListedPerson } from "../../data/people-reads.ts";
import { SKILL_CATEGORIES } from "../../data/vocabulary.ts";
import type { ListPage } from "../../list/list-page.ts";
import { PagedList } from "../../list/paged-list.tsx";
import { SearchField, SearchForm, SearchSelect } from "../../list/search-form.tsx";
import { useAnnouncedResult } from "../../list/use-announced-result.ts";
import { useListTop } from "../../list/use-list-top.ts";
import { usePages } from "../../list/use-pages.ts";
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
          <SearchField
            name="q"
            label="Search"
            placeholder="Search by name, title, company or skill..."
            value={text}
          />
        </div>
        <div className="search-rest">
          <SearchSelect
            name="category"
            label="Category"
            options={{ "": "All Categories", ...SKILL_CATEGORIES }}
            value={category}
          />
          <SearchSelect
            name="sort"
            label="Sort"
            options={{ experience: "Most Experienced", name: "By Name" }}
            value={sort}
          />
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
