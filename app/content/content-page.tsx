import { useDeferredValue, useEffect, useRef, useState } from "react";
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
  const { list, isAnswer, needAll } = useCardList(kind, listing, shownSearch);

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
      <EarlyAnswer isOver={isAnswer && search === shownSearch} />
      <div className="mt-8">
        <ContentList
          list={list}
          identity={formatSearch(shownSearch)}
          renderCard={(card) => <kind.Card card={card} actions={null} />}
          empty={texts.empty}
          hasMore={listing.next !== null}
          onNeedAll={needAll}
        />
        <OlderItems listing={listing} />
      </div>
    </div>
  );
}

/**
 * Where the document's starter puts the answer to a search that was typed before React stood (app/starter.js).
 * It hides the list until the list itself is that answer.
 */
function EarlyAnswer({ isOver }: { isOver: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const [isHydrated, setHydrated] = useState(false);
  useEffect(() => setHydrated(true), []);
  useEffect(() => {
    // What was typed reaches the search in the same step in which this turns true, not before.
    if (!isHydrated || !isOver) return;
    delete document.documentElement.dataset.early;
    box.current?.replaceChildren();
  }, [isHydrated, isOver]);
  // React leaves the content of such an element alone when it hydrates.
  // biome-ignore lint/security/noDangerouslySetInnerHtml: always empty here
  return <div ref={box} data-early="" className="mt-8 space-y-5" dangerouslySetInnerHTML={{ __html: "" }} />;
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
