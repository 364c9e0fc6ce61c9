import { useId, useMemo } from "react";
import { Link } from "react-router";
import { MAX_COUNT, type SearchResult } from "../../common/data/search-reads.ts";
import type { LoadedList } from "../list/loaded-list.ts";
import { focusSearch, PagedList } from "../list/paged-list.tsx";
import { SearchField, SearchForm, SearchSelect } from "../list/search-form.tsx";
import { useAnnouncedList } from "../list/use-announced-list.ts";
import { useList } from "../list/use-list.ts";
import { useScrollToList } from "../list/use-scroll-to-list.ts";
import { TextLink } from "../ui/text-link.tsx";
import { ResultRow } from "./result-row.tsx";
import { formatEverythingSearch, parseEverythingSearch, SEARCHED_KINDS } from "./search.ts";

export const SEARCH_DESCRIPTION = "Find articles, links, code samples and people by any of their words.";
const EMPTY = "Nothing found matching your search criteria.";
const PARTLY = "Nothing has all of these words.";

const KIND_NAMES = Object.fromEntries(Object.entries(SEARCHED_KINDS).map(([kind, { name }]) => [kind, name]));

const idOf = ({ id }: SearchResult) => id;

export function SearchPage({ result }: { result: LoadedList<SearchResult> }) {
  const list = useList({ result, idOf });
  const { query, counts, notes } = list;
  const { partial = [], suggestion } = notes;
  const { text, kind } = useMemo(() => parseEverythingSearch(new URLSearchParams(query)), [query]);
  const { listRef, scrollToList } = useScrollToList();
  const empty = text === "" ? "" : EMPTY;
  useAnnouncedList(list, {
    empty: partial.length > 0 ? `${PARTLY} ${countPartial(partial.length)}.` : empty,
    itemName: "result",
  });
  return (
    <>
      <h1 className="font-display text-title font-bold tracking-tight">Search</h1>
      <p className="mt-3 mb-6 min-lines-2 text-lg text-balance text-muted sm:min-h-0">{SEARCH_DESCRIPTION}</p>
      <SearchForm
        list={list}
        values={{ q: text, kind }}
        toQuery={(fields) => formatEverythingSearch(parseEverythingSearch(fields))}
        onType={scrollToList}
      >
        <div className="search-text">
          <SearchField name="q" label="Search" placeholder="Search everything..." value={text} />
        </div>
        <div className="search-rest">
          <SearchSelect name="kind" label="Kind" options={KIND_NAMES} value={kind} addsEntries />
        </div>
      </SearchForm>
      {counts && <Counts counts={counts} text={text} kind={kind} />}
      <div className="mt-8">
        {suggestion && <Suggestion text={suggestion} kind={kind} />}
        <PagedList
          ref={listRef}
          list={list}
          empty={empty}
          idOf={idOf}
          renderCard={(found) => <ResultRow result={found} />}
        />
        {partial.length > 0 && <Partial results={partial} />}
      </div>
    </>
  );
}

function Suggestion({ text, kind }: { text: string; kind: string }) {
  return (
    <p>
      <TextLink
        to={{ search: formatEverythingSearch({ text, kind }) }}
        onClick={focusSearch}
      >{`Did you mean ${text}?`}</TextLink>
    </p>
  );
}

const countPartial = (count: number) =>
  count === 1 ? "1 result with some of these words" : `${count} results with some of these words`;

/** Results that have only some of the words. */
function Partial({ results }: { results: SearchResult[] }) {
  const name = useId();
  return (
    <section aria-labelledby={name} className="mt-10">
      <h2 id={name} className="font-display text-2xl font-bold tracking-tight">
        Results with some of these words
      </h2>
      <p className="mt-2 mb-4 text-muted">{PARTLY}</p>
      {results.map((result) => (
        <ResultRow key={result.id} result={result} />
      ))}
    </section>
  );
}

interface CountsProps {
  counts: Record<string, number>;
  text: string;
  kind: string;
}

/** Links to the results of each kind that has some, with their number. */
function Counts({ counts, text, kind }: CountsProps) {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const countOf = (source: string) => (source === "" ? total : (counts[source] ?? 0));
  const found = Object.entries(SEARCHED_KINDS).filter(([, { source }]) => countOf(source) > 0);
  return (
    <ul aria-label="Results by kind" className="mt-2 flex flex-wrap gap-x-6 empty:hidden">
      {found.map(([name, { name: label, source }]) => (
        <li key={name}>
          <Link
            to={{ search: formatEverythingSearch({ text, kind: name }) }}
            aria-current={name === kind ? "true" : undefined}
            className="inline-flex min-h-11 items-center gap-2 text-sm text-muted hover:text-ink hover:underline aria-[current]:text-ink"
          >
            {label}
            <span className="font-mono tabular-nums">{formatCount(countOf(source))}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

const formatCount = (count: number) => (count > MAX_COUNT ? `${MAX_COUNT}+` : String(count));
