import { memo, useEffect, useMemo, useState } from "react";
import { Link, useLocation, useRevalidator } from "react-router";
import { ownerOf } from "../data/content-reads.ts";
import type { ListPage } from "../list/list-page.ts";
import { PagedList } from "../list/paged-list.tsx";
import { useAnnouncedResult } from "../list/use-announced-result.ts";
import { useFragment } from "../list/use-fragment.ts";
import { useListTop } from "../list/use-list-top.ts";
import { usePages } from "../list/use-pages.ts";
import { useSession } from "../session/session.ts";
import { FeedLink } from "../ui/feed-link.tsx";
import { isFocusFree } from "../ui/focus.ts";
import { EditorProvider } from "./editor/editor-context.tsx";
import { EditorSlot } from "./editor/editor-slot.tsx";
import type { CardData, ContentKind } from "./kind.ts";
import { useMarkedHits } from "./marked-hits.ts";
import { OwnerActions } from "./owner-actions.tsx";
import { formatSearch, parseSearch } from "./search/search.ts";
import { SearchBar } from "./search/search-bar.tsx";

export function ContentPage({ kind, page }: { kind: ContentKind; page: ListPage<CardData> | null }) {
  const { texts } = kind;
  const { search: query } = useLocation();
  const search = useMemo(() => parseSearch(new URLSearchParams(query)), [query]);
  const startSearch = formatSearch(search);
  const pages = usePages(page);
  const { revalidate } = useRevalidator();
  /** A new object for every write, so that saving the same item twice scrolls to it twice. */
  const [written, setWritten] = useState<{ id: string | null }>({ id: null });
  const session = useSession();
  const userId = session.status === "in" ? session.userId : null;
  const { list, showTop } = useListTop();
  useMarkedHits(list, search.text, pages.list);
  useAnnouncedResult(startSearch, page, texts.empty);
  useFragment();

  async function onWritten(id: string | null) {
    await revalidate();
    setWritten({ id });
  }
  useEffect(() => {
    const card = document.getElementById(written.id ?? "");
    const isUnmoved = isFocusFree(document.querySelector("form:has(fieldset)"));
    if (card && isUnmoved) card.scrollIntoView({ block: "nearest" });
  }, [written]);

  return (
    <EditorProvider kind={kind} userId={userId} onWritten={onWritten}>
      <h1 className="font-display text-list-name font-bold tracking-tight">{kind.name}</h1>
      <p className="mt-3 mb-6 text-lg text-pretty text-muted">{kind.description}</p>
      <SearchBar search={search} placeholder={texts.searchPlaceholder} onType={showTop} />
      <EditorSlot height={kind.formHeight} />
      <div className="mt-8">
        <PagedList
          {...pages}
          ref={list}
          startSearch={startSearch}
          empty={texts.empty}
          markedId={written.id}
          idOf={({ item }) => item.id}
          renderCard={(card) => (
            <ListedCard kind={kind} card={card} isOwn={ownerOf(kind, card.item) === userId} />
          )}
        />
        {page?.cards.length === 0 && startSearch === "" && (
          <Link
            to="/profile"
            className="mt-6 inline-flex min-h-11 items-center text-ink underline underline-offset-4 in-data-session:hidden"
          >
            Sign in to add the first
          </Link>
        )}
        {kind.feed && (
          <p className="mt-6">
            <FeedLink feed={kind.feed} />
          </p>
        )}
      </div>
    </EditorProvider>
  );
}

interface ListedCardProps {
  kind: ContentKind;
  card: CardData;
  isOwn: boolean;
}

/** Memoised, so that adding a page to a long list does not render its cards again. */
const ListedCard = memo(function ListedCard({ kind: { Card }, card, isOwn }: ListedCardProps) {
  return <Card card={card} actions={isOwn && <OwnerActions item={card.item} />} isOwn={isOwn} />;
});
