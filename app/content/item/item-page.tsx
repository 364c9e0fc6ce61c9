import { lazy, Suspense, useCallback, useRef, useState } from "react";
import { useNavigate, useRevalidator } from "react-router";
import type { ContentRow } from "../../data/content-reads.ts";
import { useSession } from "../../session/session.ts";
import { focusHeading } from "../../ui/focus.ts";
import type * as editorModule from "../editor/editor.tsx";
import type { EditorHandle } from "../editor/use-editor.ts";
import type { ContentKind } from "../kind.ts";
import { OwnerActions } from "../owner-actions.tsx";
import { AuthorCard } from "./author-card.tsx";
import type { ItemData } from "./load-item.ts";

const Editor = lazy<typeof editorModule.default>(() =>
  // Without the form the page is still a page.
  import("../editor/editor.tsx").catch(() => ({ default: () => null })),
) as unknown as typeof editorModule.default;

/** The page of one item (contract, Addresses); its owner edits and deletes it here as in the list. */
export function ItemPage<Row extends ContentRow, Values extends { title: string }>({
  kind,
  data: { card, writer, more },
}: {
  kind: ContentKind<Row, Values>;
  data: ItemData<Row>;
}) {
  const { item } = card;
  const session = useSession();
  const userId = session.status === "in" ? session.userId : null;
  const isOwn = item[kind.owner] === userId;
  const [editor, setEditor] = useState<EditorHandle | null>(null);
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const isLeaving = useRef(false);
  const reload = useCallback(async () => {
    // What is deleted cannot be read again.
    if (!isLeaving.current) await revalidate().then(focusHeading);
  }, [revalidate]);

  async function remove(handle: EditorHandle): Promise<boolean> {
    isLeaving.current = true;
    const isGone = await handle.remove(item.id, item.title);
    isLeaving.current = isGone;
    if (isGone) {
      await navigate(kind.about.path, { replace: true });
    }
    return isGone;
  }

  const actions = isOwn && editor && (
    <OwnerActions item={item} editor={{ edit: editor.edit, remove: () => remove(editor) }} />
  );
  return (
    <div className="max-w-4xl space-y-10">
      {isOwn && userId && (
        <Suspense>
          <Editor ref={setEditor} kind={kind} userId={userId} itemId={item.id} onWritten={reload} />
        </Suspense>
      )}
      <kind.Card card={card} actions={actions} isOwn={isOwn} isPage />
      <AuthorCard table={kind.table} writer={writer} more={more} />
    </div>
  );
}
