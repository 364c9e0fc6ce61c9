import { memo, useEffect, useMemo, useRef } from "react";
import { useLocation } from "react-router";
import { ownerOf } from "../data/content-reads.ts";
import { useSession } from "../session/session.ts";
import { announce } from "../ui/announce.tsx";
import { EditorProvider } from "./editor/editor-context.tsx";
import { EditorSlot } from "./editor/editor-slot.tsx";
import type { CardData, ContentKind } from "./kind.ts";
import { fetchWhole } from "./list/browser-list.ts";
import { CardList } from "./list/card-list.tsx";
import type { ListPage } from "./list/page.ts";
import { useList } from "./list/use-list.ts";
import { useMarkedHits } from "./marked-hits.ts";
import { OwnerActions } from "./owner-actions.tsx";
import { formatSearch, parseSearch, type Search } from "./search/search.ts";
import { SearchBar } from "./search/search-bar.tsx";

export function ContentPage({ kind, page }: { kind: ContentKind; page: ListPage | null }) {
  const { texts } = kind;
  const { search: query } = useLocation();
  const search = useMemo(() => parseSearch(new URLSearchParams(query)), [query]);
  const { list, element, extend, refresh } = useList(kind, search, page);
  const session = useSession();
  const userId = session.status === "in" ? session.userId : null;
  useMarkedHits(element, search.text, list);
  useAnnouncedResult(formatSearch(search), page && list, texts.empty);

  // The bar stays in sight; what it finds begins at the top of the list.
  function showTop() {
    const top = element.current?.getBoundingClientRect().top ?? 0;
    if (top < 0) element.current?.scrollIntoView({ behavior: "instant" });
  }

  return (
    <EditorProvider kind={kind} userId={userId} onWritten={refresh}>
      <h1 className="font-display text-title font-bold tracking-tight">{kind.name}</h1>
      <p className="mt-3 mb-6 text-lg text-balance text-muted">{kind.description}</p>
      <SearchBar
        search={search}
        placeholder={texts.searchPlaceholder}
        onType={showTop}
        onFocus={() => void fetchWhole(kind.table)}
      />
      <EditorSlot height={kind.formHeight} />
      <div className="mt-8">
        <CardList
          table={kind.table}
          list={list}
          element={element}
          extend={extend}
          empty={texts.empty}
          renderCard={(card) => (
            <ListedCard kind={kind} card={card} isOwn={ownerOf(kind, card.item) === userId} />
          )}
        />
        <OlderItems search={search} next={list.next} />
      </div>
    </EditorProvider>
  );
}

interface ListedCardProps {
  kind: ContentKind;
  card: CardData;
  isOwn: boolean;
}

/** Memoised: extending a list of hundreds must not interrupt scrolling. */
const ListedCard = memo(function ListedCard({ kind: { Card }, card, isOwn }: ListedCardProps) {
  return <Card card={card} actions={isOwn && <OwnerActions item={card.item} />} isOwn={isOwn} />;
});

/** How long a search stands before its result is read out (milliseconds): nobody wants to hear one for each key. */
const ANNOUNCED_AFTER_MS = 700;

/** `list`: null after a failed load, which is not announced (specification §8). */
function useAnnouncedResult(query: string, list: ListPage | null, empty: string): void {
  const announced = useRef(query);
  useEffect(() => {
    if (!list || announced.current === query) return;
    const { cards, next, total } = list;
    const timer = setTimeout(() => {
      announced.current = query;
      const number = total ?? `${cards.length}${next ? " or more" : ""}`;
      announce(cards.length === 0 ? empty : `${number} ${cards.length === 1 ? "result" : "results"}`);
    }, ANNOUNCED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [query, list, empty]);
}

function OlderItems({ search, next }: { search: Search; next: string | null }) {
  if (!next) return null;
  return (
    <noscript>
      <a
        href={formatSearch(search, { after: next })}
        className="mt-6 inline-block underline underline-offset-4"
      >
        Continue the list
      </a>
    </noscript>
  );
}
