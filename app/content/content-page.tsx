import { useDeferredValue } from "react";
import type { ContentRow } from "../data/content-reads.ts";
import type { ContentKind } from "./kind.ts";
import { formatPosition } from "./list/address.ts";
import { ContentList } from "./list/content-list.tsx";
import type { Listing } from "./list/stretch.ts";
import { useCardList } from "./list/use-card-list.ts";
import { formatSearch } from "./search.ts";
import { SearchBar } from "./search-bar.tsx";
import { useSearch } from "./use-search.ts";

/** Takes a kind and the cards that the page begins with, returns the whole content page (specification §2). */
export function ContentPage<Row extends ContentRow, Draft>({
  kind,
  listing,
}: {
  kind: ContentKind<Row, Draft>;
  listing: Listing<Row>;
}) {
  const { texts } = kind;
  const { search, setSearch, visit } = useSearch();
  const shownSearch = useDeferredValue(search);
  const { list, needAll } = useCardList(kind, listing, shownSearch);

  return (
    <div className="mx-auto max-w-4xl">
      <h1 className="font-display text-4xl font-bold tracking-[-0.02em] sm:text-5xl">{texts.heading}</h1>
      <p className="mt-3 text-lg text-balance text-muted">{texts.description}</p>
      <div className="mt-8">
        <SearchBar
          key={visit}
          search={search}
          placeholder={texts.searchPlaceholder}
          onSearch={setSearch}
          onFocus={needAll}
        />
      </div>
      <div className="mt-8">
        <ContentList
          list={list}
          identity={formatSearch(shownSearch)}
          renderCard={(card) => <kind.Card card={card} actions={null} />}
          empty={texts.empty}
          onNeedAll={needAll}
        />
        <OlderItems listing={listing} />
      </div>
    </div>
  );
}

/** Leads a visitor without JavaScript on; everybody else's list goes on by itself. */
function OlderItems<Row extends ContentRow>({ listing: { search, next } }: { listing: Listing<Row> }) {
  if (!next) return null;
  const query = new URLSearchParams(formatSearch(search));
  query.set("after", formatPosition(next));
  return (
    <noscript>
      <a
        href={`?${query}`}
        className="mt-6 inline-block font-semibold text-accent underline underline-offset-4"
      >
        Continue the list
      </a>
    </noscript>
  );
}
