import { lazy, useEffect, useEffectEvent, useRef } from "react";
import { useLocation, useNavigate, useRevalidator } from "react-router";
import { itemPath } from "../../../common/data/addresses.ts";
import { ownerOf } from "../../../common/data/content-reads.ts";
import { useUserId } from "../../session/session.ts";
import { focusHeading, mayMoveFocus } from "../../ui/focus.ts";
import { LoadBoundary } from "../../ui/load-boundary.tsx";
import { ReportLink, useAcceptsReports } from "../../ui/report-link.tsx";
import { SlowProgress } from "../../ui/slow-progress.tsx";
import type { ContentKind } from "../content-kind.ts";
import { EditorProvider, useEditorContext, useItemActionsContext } from "../editor/editor-context.tsx";
import type { SavedColumns } from "../editor/item-values.ts";
import { OwnerActions } from "../owner-actions.tsx";
import { savedRow, usePendingTexts, useSavedText } from "../pending-text.ts";
import { AuthorCard } from "./author-card.tsx";
import type { ItemData } from "./load-item.server.ts";

const Editor = lazy(() => import("../editor/editor.tsx"));

/** The form of an item's page. It stays if the session ends while it has unsent text. */
function ItemEditor({ isOwn, id }: { isOwn: boolean; id: string }) {
  const { form, isOpening } = useEditorContext();
  useOpenedForm(isOwn, id);
  if (!isOwn && !form.isSignedOut) return null;
  return (
    <>
      <SlowProgress isPending={isOpening} />
      <LoadBoundary fallback={<SlowProgress isPending={form.rowId !== null} />}>
        <Editor />
      </LoadBoundary>
    </>
  );
}

/** Opens the form if the URL's fragment says so, as in the links of Your Items, and removes the fragment. */
function useOpenedForm(isOwn: boolean, id: string): void {
  const { hash, pathname, search } = useLocation();
  const navigate = useNavigate();
  const { edit } = useItemActionsContext();
  const open = useEffectEvent(() => {
    void navigate(pathname + search, { replace: true, preventScrollReset: true });
    void edit(id, document.body);
  });
  const isAsked = isOwn && hash === "#edit";
  useEffect(() => {
    if (isAsked) open();
  }, [isAsked]);
}

/** An item's own page (contract, "Addresses beyond the specification's five"). Its owner can edit and delete it here. */
export function ItemPage({ kind, data: { card, more } }: { kind: ContentKind; data: ItemData }) {
  const { item } = card;
  const userId = useUserId();
  const isOwn = ownerOf(kind, item) === userId;
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const acceptsReports = useAcceptsReports();
  const page = useRef<HTMLDivElement>(null);
  const section = useRef<HTMLElement>(null);

  usePendingTexts([card], revalidate);
  const savedText = useSavedText(kind, true);

  // Replace the deleted item's page in the history, so that Back doesn't lead to it.
  async function leaveFor(path: string) {
    if (page.current) await navigate(path, { replace: true });
  }

  async function onSaved(id: string, columns: SavedColumns) {
    const { title } = columns;
    // Save as New gives an item that was deleted elsewhere a new id, and therefore a new page.
    if (id !== item.id) return leaveFor(itemPath(kind, { id, title: String(title) }));
    // The member has left the page, so it needs no new data.
    if (!page.current) return;
    // The form has closed, and with it the element that had the focus.
    if (mayMoveFocus()) focusHeading();
    // Authors see their text even if this fails, once the server has rendered it.
    void savedText.render(savedRow(id, columns)).catch(() => undefined);
    await revalidate();
  }

  return (
    <EditorProvider
      kind={kind}
      userId={userId}
      itemId={item.id}
      section={section}
      onSaved={onSaved}
      onRemoved={() => leaveFor(kind.path)}
    >
      <div ref={page} className="space-y-10">
        <ItemEditor isOwn={isOwn} id={item.id} />
        <kind.Card
          card={savedText.withSavedText(card)}
          actions={isOwn && <OwnerActions kind={kind} item={item} />}
          isOwn={isOwn}
          isPage
        />
        <AuthorCard kind={kind} author={item.profiles} more={more} />
        {acceptsReports && (
          <p className="grid gap-x-10 lg:grid-cols-margin print:hidden">
            <ReportLink
              path={`${kind.path}/${item.id}`}
              className="justify-self-start text-sm lg:col-start-2"
            />
          </p>
        )}
      </div>
    </EditorProvider>
  );
}
