import { lazy, Suspense, useCallback, useEffect, useState } from "react";
import { useRevalidator } from "react-router";
import type { ContentRow } from "../data/content-reads.ts";
import { useSession } from "../session/session.ts";
import { holdsSession } from "../session/storage.ts";
import type * as editorModule from "./editor/editor.tsx";
import type { EditorHandle } from "./editor/use-editor.ts";
import type { CardData, ContentKind } from "./kind.ts";
import { formatPosition } from "./list/address.ts";
import { ContentList } from "./list/content-list.tsx";
import { type Listing, NO_LISTING } from "./list/stretch.ts";
import { useCardList } from "./list/use-card-list.ts";
import { OwnerActions } from "./owner-actions.tsx";
import { formatSearch } from "./search.ts";
import { SearchBar } from "./search-bar.tsx";
import { useSearch, useSearchInAddress } from "./use-search.ts";

const loadEditor = () => import("./editor/editor.tsx");
// Without the form the page is still a page.
const Editor = lazy<typeof editorModule.default>(() =>
  loadEditor().catch(() => ({ default: () => null })),
) as unknown as typeof editorModule.default;

// Fetched while React still hydrates, as the session's code is.
if (typeof document !== "undefined" && holdsSession()) loadEditor().catch(() => undefined);

/**
 * Takes a kind and the cards that the page begins with (null when they could not be loaded), returns the whole
 * content page (specification §2).
 */
export function ContentPage<Row extends ContentRow, Draft extends { title: string }>({
  kind,
  listing: loaded,
}: {
  kind: ContentKind<Row, Draft>;
  listing: Listing<Row> | null;
}) {
  const { about, texts } = kind;
  const listing = useLastLoaded(loaded);
  const { search, setSearch, visit } = useSearch();
  const { list, search: answered, isAnswer, needAll } = useCardList(kind, listing, search);
  useSearchInAddress(search, isAnswer);
  const session = useSession();
  const userId = session.status === "in" ? session.userId : null;
  const [editor, setEditor] = useState<EditorHandle<Row> | null>(null);
  const { revalidate } = useRevalidator();
  const reload = useCallback(() => void revalidate(), [revalidate]);

  // Whoever reads a document is given the rest as he comes to it. Who came by a link inside the application has the
  // code for all of it at hand; a member may edit, for which documents leave out the texts.
  const hasMore = listing.next !== null;
  const isAtOnce = userId !== null || (hasMore && !listing.isInDocument);
  useEffect(() => {
    if (isAtOnce) needAll();
  }, [isAtOnce, needAll]);

  const { Card, owner } = kind;
  const renderCard = useCallback(
    (card: CardData<Row>) => {
      const { item } = card;
      const isOwn = editor !== null && item[owner] === userId;
      const actions = isOwn && (
        <OwnerActions
          title={item.title}
          onEdit={() => editor.edit(item)}
          onDelete={() => editor.remove(item)}
        />
      );
      return <Card card={card} actions={actions} />;
    },
    [Card, owner, editor, userId],
  );

  return (
    <div className="mx-auto max-w-4xl">
      <h1 className="font-display text-4xl font-bold tracking-[-0.02em] sm:text-5xl">{about.name}</h1>
      <p className="mt-3 text-lg text-balance text-muted">{about.description}</p>
      <div className="mt-8">
        <SearchBar
          key={visit}
          search={search}
          placeholder={texts.searchPlaceholder}
          onSearch={setSearch}
          onFocus={needAll}
        />
      </div>
      <div className={`mt-8 ${kind.formSpace} empty:hidden in-data-session:empty:block`}>
        {userId && (
          <Suspense>
            <Editor key={userId} ref={setEditor} kind={kind} userId={userId} onWritten={reload} />
          </Suspense>
        )}
      </div>
      {/* Where the starter puts the answer to a search that is typed before React has begun (app/starter.js). */}
      <div className="mt-8" data-answer="">
        <ContentList
          list={list}
          identity={formatSearch(answered)}
          renderCard={renderCard}
          empty={texts.empty}
          hasMore={hasMore}
          onNeedAll={needAll}
        />
        <OlderItems listing={listing} />
      </div>
    </div>
  );
}

/** Takes what was loaded last, returns the last that could be: a failed load changes nothing (specification §8). */
function useLastLoaded<Row extends ContentRow>(loaded: Listing<Row> | null): Listing<Row> {
  const [known, setKnown] = useState<Listing<Row>>(loaded ?? NO_LISTING);
  if (loaded && loaded !== known) setKnown(loaded);
  return loaded ?? known;
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
