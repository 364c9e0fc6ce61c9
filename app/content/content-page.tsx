import { memo, useEffect, useMemo, useRef, useState } from "react";
import { ownerOf } from "../../common/data/content-reads.ts";
import { renderedColumn } from "../../common/kinds/kind-definition.ts";
import { DeletionNotice, useDeletions, useReloadAfterUndo } from "../history/deletion-context.tsx";
import type { LoadedList } from "../list/loaded-list.ts";
import { PagedList } from "../list/paged-list.tsx";
import { SearchElsewhere } from "../list/search-form.tsx";
import { useAnnouncedList } from "../list/use-announced-list.ts";
import { useList } from "../list/use-list.ts";
import { useScrollToList } from "../list/use-scroll-to-list.ts";
import { useUserId } from "../session/session.ts";
import { FeedLink } from "../ui/feed-link.tsx";
import { focusElement, focusedElement, focusTarget, mayMoveFocus } from "../ui/focus.ts";
import { TextLink } from "../ui/text-link.tsx";
import type { CardData, ContentKind } from "./content-kind.ts";
import { EditorProvider } from "./editor/editor-context.tsx";
import { EditorSlot } from "./editor/editor-slot.tsx";
import type { SavedColumns } from "./editor/item-values.ts";
import { OwnerActions } from "./owner-actions.tsx";
import { savedRow, usePendingTexts, useSavedText } from "./pending-text.ts";
import { useMarkedHits } from "./search/marked-hits.ts";
import { parseSearch } from "./search/search.ts";
import { ORDERS, SearchBar } from "./search/search-bar.tsx";

const idOf = ({ item }: CardData) => item.id;

export function ContentPage({ kind, result }: { kind: ContentKind; result: LoadedList<CardData> }) {
  const { texts } = kind;
  const list = useList({ result, idOf, findsItems: true });
  const { query, cards, reload } = list;
  const search = useMemo(() => parseSearch(new URLSearchParams(query)), [query]);
  /** The item saved last, and what had the focus then. An object, so that a second save scrolls again. */
  const [saved, setSaved] = useState<{ id: string; focused: Element | null } | null>(null);
  const userId = useUserId();
  const section = useRef<HTMLElement>(null);
  const { deletion } = useDeletions();
  const { listRef, scrollToList } = useScrollToList();
  useMarkedHits(listRef, search.text, cards);
  useAnnouncedList(list, {
    empty: texts.noResults,
    itemName: kind.itemName.toLowerCase(),
    orders: { "": ORDERS.desc, asc: ORDERS.asc },
  });

  async function onSaved(id: string, columns: SavedColumns) {
    const focused = focusedElement();
    list.change(id, (card) => withColumns(kind, card, columns));
    // Authors see their text even if this fails, once the server has rendered it.
    void savedText.render(savedRow(id, columns)).catch(() => undefined);
    await reload();
    setSaved({ id, focused });
  }
  async function onRemoved(id: string) {
    setSaved(null);
    list.remove(id);
    await reload();
  }
  usePendingTexts(cards, reload);
  const savedText = useSavedText(kind, false);
  useReloadAfterUndo("cards", reload);
  useReloadAfterUndo("page", reload);
  useEffect(() => {
    const card = document.getElementById(saved?.id ?? "");
    // Don't interrupt a member who has gone to another field or started to type the next item.
    const isTyping = section.current?.closest("[data-unsaved], [aria-busy=true]");
    if (!card || isTyping || !mayMoveFocus(saved?.focused)) return;
    focusElement(focusTarget(card));
    card.scrollIntoView({ block: "nearest" });
  }, [saved]);

  const isListed = (id: string | undefined) => cards.some(({ item }) => item.id === id);
  const noticeId = isListed(deletion?.previousId) ? deletion?.previousId : null;

  return (
    <EditorProvider kind={kind} userId={userId} section={section} onSaved={onSaved} onRemoved={onRemoved}>
      <h1 className="font-display text-title font-bold tracking-tight">{kind.name}</h1>
      {/* The reserved lines prevent a layout shift: a fallback font may need one more than the site's font. */}
      <p className="mt-3 mb-2 min-lines-3 text-lg text-pretty text-muted sm:mb-6 sm:min-lines-2 md:min-h-0">
        {kind.description}
      </p>
      <SearchBar list={list} search={search} placeholder={texts.searchPlaceholder} onType={scrollToList} />
      <SearchElsewhere text={search.text} />
      <EditorSlot kind={kind} isSearching={search.text !== "" || search.author !== ""} />
      <div className="mt-8">
        <PagedList
          ref={listRef}
          list={list}
          empty={texts.noResults}
          searched={search.text || search.author.replace(/^@/, "")}
          markedId={saved?.id}
          idOf={idOf}
          renderCard={(card) => (
            <ListedCard
              kind={kind}
              card={savedText.withSavedText(card)}
              isOwn={ownerOf(kind, card.item) === userId}
            />
          )}
          renderAfter={(id) => id === noticeId && <DeletionNotice place="cards" />}
        />
        {cards.length === 0 && query === "" && list.status.is === "idle" && (
          <TextLink to="/profile" className="mt-6 in-data-session:hidden">
            Sign in to add the first
          </TextLink>
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

/** A card with saved columns. Its text is rendered on the server, so a new one appears when the list is read again. */
function withColumns(kind: ContentKind, card: CardData, columns: SavedColumns): CardData {
  const rendered = renderedColumn(kind);
  return { ...card, item: { ...card.item, ...columns, ...(rendered && { [rendered]: undefined }) } };
}

interface ListedCardProps {
  kind: ContentKind;
  card: CardData;
  isOwn: boolean;
}

/** Memoised, so that adding a page to a long list does not re-render the cards that are already shown. */
const ListedCard = memo(function ListedCard({ kind, card, isOwn }: ListedCardProps) {
  const { Card } = kind;
  return <Card card={card} actions={isOwn && <OwnerActions kind={kind} item={card.item} />} isOwn={isOwn} />;
});
