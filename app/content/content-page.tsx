import { useDeferredValue, useMemo } from "react";
import type { ContentRow } from "../data/content-reads.ts";
import { Empty } from "../ui/panel.tsx";
import type { ContentKind } from "./kind.ts";
import type { Listing } from "./load-listing.ts";
import { searchItems } from "./search.ts";
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
  const [search, setSearch] = useSearch();
  const shown = useDeferredValue(search);
  const cards = useMemo(() => {
    const byId = new Map(listing.cards.map((card) => [card.item.id, card]));
    return searchItems(
      listing.cards.map(({ item }) => item),
      kind.searched,
      shown,
    ).flatMap((item) => byId.get(item.id) ?? []);
  }, [listing, kind, shown]);

  return (
    <>
      <h1 className="font-display text-4xl font-bold tracking-[-0.02em] sm:text-5xl">{kind.texts.heading}</h1>
      <p className="mt-3 max-w-2xl text-lg text-muted">{kind.texts.description}</p>
      <div className="mt-8">
        <SearchBar search={search} placeholder={kind.texts.searchPlaceholder} onSearch={setSearch} />
      </div>
      <div className="mt-8 space-y-5">
        {cards.length === 0 ? (
          <Empty>{kind.texts.empty}</Empty>
        ) : (
          cards.map((card) => <kind.Card key={card.item.id} card={card} actions={null} />)
        )}
      </div>
    </>
  );
}
