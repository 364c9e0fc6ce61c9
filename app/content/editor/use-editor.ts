import { type Ref, useEffectEvent, useImperativeHandle, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { readItem } from "../../data/content-reads.ts";
import { deleteItem, saveItem } from "../../data/content-writes.ts";
import { changedFields } from "../../drafts/draft-store.ts";
import { useDraftedForm } from "../../drafts/use-drafted-form.ts";
import { openAuth } from "../../session/open-auth.ts";
import { announce } from "../../ui/announce.tsx";
import { isFocusFree } from "../../ui/focus.ts";
import { useSending } from "../../ui/use-sending.ts";
import type { ContentKind } from "../kind.ts";
import { toColumns, toValues } from "../kinds/form-values.ts";
import type { FormValues } from "../kinds/kind-definition.ts";
import { type ItemActions, OwnerActions } from "../owner-actions.tsx";

export interface EditorHandle extends ItemActions {
  /** With the form's code, which visitors never download. */
  Actions: typeof OwnerActions;
}

interface Conflict {
  target: string;
  /** What the form began with. */
  base: FormValues | null;
  /** Null where the row is gone. */
  values: FormValues | null;
}

export interface EditorProps {
  kind: ContentKind;
  userId: string;
  /** On an item's own page: the form edits that item and creates none. */
  itemId?: string;
  /** Is given the id of what was saved, null after a delete and where the answer named none. */
  onWritten(id: string | null): Promise<void>;
  ref: Ref<EditorHandle>;
}

export function useEditor({ kind, userId, itemId, onWritten, ref }: EditorProps, bringIntoView: () => void) {
  // What is left unsent on an item's own page is offered there, and in the list.
  const page = itemId === undefined ? kind.table : `${kind.table}.${itemId}`;
  const form = useDraftedForm(userId, page, kind.emptyValues);
  const { isSending: isSaving, send } = useSending();
  const [conflict, setConflict] = useState<Conflict | null>(null);

  // What is under way outlives the rendering that began it.
  const now = useRef({ form, isSaving });
  useLayoutEffect(() => {
    now.current = { form, isSaving };
  });
  const wanted = useRef<string>(undefined);
  const [isOpening, setIsOpening] = useState(false);

  async function readValues(id: string): Promise<FormValues | null> {
    const row = await readItem((await openAuth()).data, kind.table, id);
    return row && toValues(kind, row);
  }

  const edit = useEffectEvent(async (id: string) => {
    wanted.current = id;
    setIsOpening(true);
    const values = await readValues(id).catch(() => null);
    if (wanted.current !== id) return;
    // At once: a disabled field takes no focus.
    flushSync(() => {
      setIsOpening(false);
      if (values && !now.current.isSaving) now.current.form.open(id, values);
    });
    if (values && !now.current.isSaving && isFocusFree(document.getElementById(id))) bringIntoView();
  });
  const remove = useEffectEvent(async (id: string, title: string) => {
    await deleteItem((await openAuth()).data, kind.table, id);
    announce(`Deleted ${title}`);
    if (now.current.form.target === id) flushSync(() => now.current.form.clear());
    void onWritten(null);
  });
  useImperativeHandle(
    ref,
    () => ({ Actions: OwnerActions, edit: (id) => void edit(id), remove: (...item) => remove(...item) }),
    [],
  );

  const store = (target: string | null, base: FormValues | null) =>
    send(async () => {
      const place = document.activeElement?.closest("form");
      if (target !== null) {
        const values = await readValues(target);
        const isSame = values && base && Object.keys(changedFields(base, values)).length === 0;
        if (!isSame) {
          setConflict({ target, base: form.base, values });
          announce(newerText(values));
          if (isFocusFree(place)) bringIntoView();
          return;
        }
      }
      const saved = await saveItem((await openAuth()).data, kind.table, {
        ...toColumns(kind, form.values),
        [kind.owner]: userId,
        ...(target !== null && { id: target }),
        ...(kind.isStamped && { updated_at: new Date().toISOString() }),
      });
      announce(`Saved ${form.values.title}`);
      // At once: the guard lets go before the page is left.
      flushSync(() => form.clear());
      const id = saved ?? target;
      await onWritten(id);
      if (id !== null && isFocusFree(place))
        document.getElementById(id)?.scrollIntoView({ block: "nearest" });
    });

  function discard(): void {
    form.clear();
    // Once the form is clean: the guard would stop the way to the list.
    queueMicrotask(() => void onWritten(null));
  }

  const answersTo = ({ target, values }: Conflict): Record<string, () => void> =>
    values
      ? {
          "Show Newer Version": () => form.open(target, values),
          "Save Mine": () => void store(target, values),
        }
      : { "Discard Mine": discard, "Save as New": () => void store(null, null) };
  // Whatever was opened since began with something else.
  const newer = conflict && conflict.base === form.base ? conflict : null;
  return {
    form,
    isSaving,
    /** The row to edit is being read; what is typed now would be lost to it. */
    isOpening,
    /** Edit mode, or something in a field that counts (specification §4). */
    isDirty: form.target !== null || kind.isDirty(form.values),
    save: () => store(form.target, form.base),
    notice: newer && { text: newerText(newer.values), actions: answersTo(newer) },
  };
}

function newerText(stored: object | null): string {
  return stored ? "There is a newer version of this" : "This was deleted elsewhere";
}
