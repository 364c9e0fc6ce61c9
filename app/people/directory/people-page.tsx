import { useMemo } from "react";
import { useLocation } from "react-router";
import type { ListedPerson } from "../../../common/data/people-reads.ts";
import { SKILL_CATEGORIES } from "../../../common/data/vocabulary.ts";
import type { LoadedList } from "../../list/loaded-list.ts";
import { PagedList } from "../../list/paged-list.tsx";
import { SearchField, SearchForm, SearchSelect } from "../../list/search-form.tsx";
import { useAnnouncedResult } from "../../list/use-announced-result.ts";
import { usePagedList } from "../../list/use-paged-list.ts";
import { useScrollToList } from "../../list/use-scroll-to-list.ts";
import { formatPeopleSearch, parsePeopleSearch } from "./people-search.ts";
import { PersonRow } from "./person-row.tsx";

export const PEOPLE_DESCRIPTION = "Find professionals by name, title, company or skill.";
const EMPTY = "No professionals found matching your search criteria.";

const idOf = ({ id }: ListedPerson) => id;

export function PeoplePage({ list }: { list: LoadedList<ListedPerson> | null }) {
  const { search: query } = useLocation();
  const search = useMemo(() => parsePeopleSearch(new URLSearchParams(query)), [query]);
  const { text, category, sort } = search;
  const startQuery = formatPeopleSearch(search);
  const pagedList = usePagedList(list);
  const { listRef, scrollToList } = useScrollToList();
  useAnnouncedResult(startQuery, list, EMPTY);
  return (
    <>
      <h1 className="font-display text-title font-bold tracking-tight">Professionals</h1>
      <p className="mt-3 mb-6 text-lg text-balance text-muted">{PEOPLE_DESCRIPTION}</p>
      <SearchForm
        values={{ q: text, category, sort }}
        toQuery={(fields) => formatPeopleSearch(parsePeopleSearch(fields))}
        onType={scrollToList}
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
          {...pagedList}
          ref={listRef}
          startQuery={startQuery}
          empty={EMPTY}
          idOf={idOf}
          renderCard={(person) => <PersonRow person={person} />}
        />
      </div>
    </>
  );
}
