import { lazy, Suspense, useRef, useState } from "react";
import { useNavigate, useRevalidator } from "react-router";
import { itemPath } from "../../data/addresses.ts";
import { ownerOf } from "../../data/content-reads.ts";
import { useSession } from "../../session/session.ts";
import { focusHeading, isFocusFree } from "../../ui/focus.ts";
import { untilLoaded } from "../../ui/until-loaded.ts";
import type { EditorHandle } from "../editor/use-editor.ts";
import type { ContentKind } from "../kind.ts";
import { AuthorCard } from "./author-card.tsx";
import type { ItemData } from "./load-item.ts";

const Editor = lazy(() => untilLoaded(() => import("../editor/editor.tsx")));

/** The page of one item (contract, Addresses); its owner edits and deletes it here as in the list. */
export function ItemPage({ kind, data: { card, more } }: { kind: ContentKind; data: ItemData }) {
  const { item } = card;
  const session = useSession();
  const userId = session.status === "in" ? session.userId : null;
  const isOwn = ownerOf(kind, item) === userId;
  const [editor, setEditor] = useState<EditorHandle | null>(null);
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const page = useRef<HTMLDivElement>(null);

  async function onWritten(id: string | null) {
    if (id === item.id) {
      await revalidate();
      if (isFocusFree()) focusHeading();
    } else if (page.current) {
      // What is deleted cannot be read again.
      void navigate(id === null ? kind.path : itemPath(kind, id), { replace: true });
    }
  }

  const actions = isOwn && editor && <editor.Actions item={item} editor={editor} />;
  return (
    <div ref={page} className="space-y-10">
      {isOwn && userId && (
        <Suspense>
          <Editor ref={setEditor} kind={kind} userId={userId} itemId={item.id} onWritten={onWritten} />
        </Suspense>
      )}
      <kind.Card card={card} actions={actions} isOwn={isOwn} isPage />
      <AuthorCard kind={kind} writer={item.profiles} more={more} />
    </div>
  );
}
