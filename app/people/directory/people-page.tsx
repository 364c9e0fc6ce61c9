import { useMemo } from "react";
import type { ListedPerson } from "../../../common/data/people-reads.ts";
import { SKILL_CATEGORIES } from "../../../common/data/vocabulary.ts";
import type { LoadedList } from "../../list/loaded-list.ts";
import { PagedList } from "../../list/paged-list.tsx";
import { SearchElsewhere, SearchField, SearchForm, SearchSelect } from "../../list/search-form.tsx";
import { useAnnouncedList } from "../../list/use-announced-list.ts";
import { useList } from "../../list/use-list.ts";
import { useScrollToList } from "../../list/use-scroll-to-list.ts";
import { formatPeopleSearch, parsePeopleSearch } from "./people-search.ts";
import { PersonRow } from "./person-row.tsx";

export const PEOPLE_DESCRIPTION = "Find professionals by name, title, company or skill.";
const EMPTY = "No professionals found matching your search criteria.";

const ORDERS = { experience: "Most Experienced", name: "By Name" };
const LIST_TEXTS = {
  empty: EMPTY,
  itemName: "professional",
  orders: { "": ORDERS.experience, name: "Name" },
};

const idOf = ({ id }: ListedPerson) => id;

export function PeoplePage({ result }: { result: LoadedList<ListedPerson> }) {
  const list = useList({ result, idOf });
  const { query } = list;
  const { text, category, sort } = useMemo(() => parsePeopleSearch(new URLSearchParams(query)), [query]);
  const { listRef, scrollToList } = useScrollToList();
  useAnnouncedList(list, LIST_TEXTS);
  return (
    <>
      <h1 className="font-display text-title font-bold tracking-tight">Professionals</h1>
      <p className="mt-3 mb-6 min-lines-2 text-lg text-balance text-muted sm:min-h-0">{PEOPLE_DESCRIPTION}</p>
      <SearchForm
        list={list}
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
          <SearchSelect name="sort" label="Sort" options={ORDERS} value={sort} />
        </div>
      </SearchForm>
      <SearchElsewhere text={text} hasPeople={false} />
      <div className="mt-8">
        <PagedList
          ref={listRef}
          list={list}
          empty={EMPTY}
          searched={text}
          idOf={idOf}
          renderCard={(person) => <PersonRow person={person} />}
        />
      </div>
    </>
  );
}
