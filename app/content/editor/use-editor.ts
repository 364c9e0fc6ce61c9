import { type RefObject, useRef, useState } from "react";
import { v4 as newUuid } from "uuid";
import { hasEdits } from "../../drafts/form.ts";
import { useDraftedForm } from "../../drafts/use-drafted-form.ts";
import { useOperation } from "../../operation/use-operation.ts";
import type { ContentKind } from "../content-kind.ts";
import type { SavedColumns } from "./item-values.ts";
import { useItemActions } from "./use-item-actions.ts";
import { useSave } from "./use-save.ts";

export interface EditorOptions {
  kind: ContentKind;
  /** Null for visitors who are not signed in. */
  userId: string | null;
  /** Set on an item's own page, where the form edits only that item. */
  itemId?: string;
  /** The section that contains the form's heading and fields. */
  section: RefObject<HTMLElement | null>;
  /** `columns` contains the stored values of the form. */
  onSaved(id: string, columns: SavedColumns): Promise<void>;
  /** Called when an item no longer exists: after a deletion, or if the member discards edits to a deleted item. */
  onRemoved(id: string): Promise<void>;
}

export type Editor = ReturnType<typeof useEditor>;

/** The state and the actions of a page's editor. */
export function useEditor({ kind, userId, itemId, section, onSaved, onRemoved }: EditorOptions) {
  // The key of an item's own page starts with the list's key, so the list also offers the drafts of that page. If the
  // item is deleted elsewhere, its page disappears, but its draft remains.
  const formKey = itemId === undefined ? kind.table : `${kind.table}.${itemId}`;
  const form = useDraftedForm(userId, formKey, kind.emptyValues);
  const [formSubject] = useState(() => `form/${newUuid()}`);
  const opening = useOperation(formSubject, "replace");
  const openedBy = useRef<HTMLElement>(null);

  function bringIntoView() {
    section.current?.scrollIntoView();
    section.current?.querySelector<HTMLElement>("form input")?.focus({ preventScroll: true });
  }

  /** The empty form that the member has opened. A form that replaces it is folded again. */
  const [openedId, setOpenedId] = useState<string | null>(null);

  const isSaving = form.status.is === "sending";
  const write = { kind, form, bringIntoView, onRemoved };
  const { save, notice } = useSave({ ...write, userId, section, formSubject, onSaved });
  const actions = useItemActions({ ...write, isSaving, openedBy, opening });

  return {
    kind,
    userId,
    itemId,
    form,
    section,
    /** The Edit button that opened the form. Cancel returns the focus to it. */
    openedBy,
    bringIntoView,
    actions,
    save,
    isSaving,
    /** The notice about a conflict, or null if there is none. */
    notice,
    /** Whether the form may show only its heading and a button: it has no text, no item, no draft and no message. */
    isFoldable:
      form.rowId === null &&
      form.status.is === "editing" &&
      !hasEdits(form) &&
      !form.offered &&
      form.uploads.length === 0 &&
      form.uploadProblem === "" &&
      !opening.isPending,
    /** Whether the member has opened the form with its button. */
    isUnfolded: openedId === form.id,
    unfold: (isOpen: boolean) => setOpenedId(isOpen ? form.id : null),
    /** Whether the item to edit is being read. Meanwhile the form is disabled, because typed text would be lost. */
    isOpening: opening.isPending,
    /** Whether the form edits an item or has unsaved input (specification §4). */
    isDirty: form.rowId !== null || kind.isDirty(form.values),
    /** Whether the page shows the form: to members, and after the session has ended as long as it has unsent text. */
    isShown: userId !== null || form.isSignedOut,
  };
}
