import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useRevalidator } from "react-router";
import { readItem } from "../../data/content-reads.ts";
import { deleteRow, saveItem } from "../../data/content-writes.ts";
import { isSame } from "../../drafts/draft-store.ts";
import { useDraftedForm } from "../../drafts/use-drafted-form.ts";
import { useDeletions } from "../../history/deletion-context.tsx";
import { openAuth } from "../../session/open-auth.ts";
import { announce } from "../../ui/announce.tsx";
import { isFocusFree } from "../../ui/focus.ts";
import { useSending } from "../../ui/use-sending.ts";
import type { ContentKind } from "../kind.ts";
import { toColumns, toValues } from "../kinds/form-values.ts";
import type { FormValues } from "../kinds/kind-definition.ts";

/** The actions of the buttons on a member's own cards. */
export interface ItemActions {
  edit(id: string): Promise<void>;
  /** Throws if the deletion failed. The notice that offers Undo is shown in `noticeContainer`. */
  remove(id: string, title: string, noticeContainer: Element | null): Promise<void>;
}

interface Conflict {
  /** The id of the form that has the conflict. It changes when the form shows another item, which hides the notice. */
  formId: string;
  rowId: string;
  /** The stored values, or null if the row was deleted. */
  values: FormValues | null;
}

export interface EditorOptions {
  kind: ContentKind;
  /** Null for visitors who are not signed in. */
  userId: string | null;
  /** Set on an item's own page, where the form edits only that item. */
  itemId?: string;
  /** Called with the id of a saved item, or with null after a deletion. */
  onWritten(id: string | null): Promise<void>;
}

export type Editor = ReturnType<typeof useEditor>;

/** Edits, saves and deletes a page's items, and handles conflicts with other tabs and devices. */
export function useEditor({ kind, userId, itemId, onWritten }: EditorOptions) {
  // The list also offers the drafts of items' own pages, because deleting an item removes its page.
  const page = itemId === undefined ? kind.table : `${kind.table}.${itemId}`;
  const form = useDraftedForm(userId, page, kind.emptyValues);
  const { isSending: isSaving, send } = useSending();
  const [isOpening, setIsOpening] = useState(false);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const section = useRef<HTMLElement>(null);
  const { show } = useDeletions();
  const { revalidate } = useRevalidator();
  const enqueueWrite = useWriteQueue();

  // Async work must read the latest form, not the one it closed over.
  const latest = useRef({ form, isSaving, onWritten });
  useLayoutEffect(() => {
    latest.current = { form, isSaving, onWritten };
  });

  function bringIntoView() {
    section.current?.scrollIntoView();
    section.current?.querySelector<HTMLElement>("form input")?.focus({ preventScroll: true });
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: stable, so that typing does not render every card again
  const actions = useMemo<ItemActions>(() => {
    let requested: string | undefined;
    return {
      async edit(id) {
        requested = id;
        setIsOpening(true);
        const values = await readValues(kind, id).catch(() => null);
        if (requested !== id) return;
        const isReady = values !== null && !latest.current.isSaving;
        // Render synchronously, because a disabled field can't take the focus.
        flushSync(() => {
          setIsOpening(false);
          if (isReady) latest.current.form.open(id, values);
        });
        if (isReady && isFocusFree(document.getElementById(id))) bringIntoView();
      },
      async remove(id, title, noticeContainer) {
        const { data } = await openAuth();
        const row = await enqueueWrite(id, () => deleteRow(data, kind.table, id));
        announce(`Deleted ${title}`);
        // Another tab may already have deleted the row.
        if (row) {
          show({
            title,
            id,
            restore: (insert) => insert(data, kind, row),
            noticeContainer,
            onRestored: revalidate,
          });
        }
        if (latest.current.form.target === id) flushSync(() => latest.current.form.close());
        void latest.current.onWritten(null);
      },
    };
  }, [kind]);

  /** Saves the form as the row `rowId`, unless that row no longer has the values `expected`. */
  async function store(rowId: string, expected: FormValues | undefined | null, isNew: boolean) {
    const focused = document.activeElement?.closest("form");
    let isSaved = false;
    await send(async () => {
      const failure = await enqueueWrite(rowId, async () => {
        if (!isNew || expected) {
          const values = await readValues(kind, rowId);
          const isMissing = values === null;
          const isExpected = isMissing ? isNew : expected && isSame(expected, values);
          if (!isExpected) return { conflict: values };
        }
        if (isNew) form.markSent();
        const { data } = await openAuth();
        await saveItem(data, kind.table, {
          ...toColumns(kind, form.values),
          id: rowId,
          [kind.owner]: userId,
          ...(kind.isStamped && { updated_at: new Date().toISOString() }),
        });
        return null;
      });
      if (failure) {
        setConflict({ formId: form.id, rowId, values: failure.conflict });
        announce(conflictText(failure.conflict));
        if (isFocusFree(focused)) bringIntoView();
        return;
      }
      announce(`Saved ${form.values.title}`);
      // Render synchronously, so that the unsaved-changes guard no longer blocks navigation.
      flushSync(() => form.clear());
      isSaved = true;
    });
    if (isSaved) await latest.current.onWritten(rowId);
  }

  function discard(): void {
    form.clear();
    // Wait for the render, or the unsaved-changes guard would block the navigation to the list.
    queueMicrotask(() => void latest.current.onWritten(null));
  }

  const conflictActions = ({ rowId, values }: Conflict): Record<string, () => void> =>
    values
      ? {
          "Show Newer Version": () => form.open(rowId, values),
          "Save Mine": () => void store(rowId, values, false),
        }
      : { "Discard Mine": discard, "Save as New": () => void store(form.newId, form.sent, true) };
  const visibleConflict = conflict?.formId === form.id ? conflict : null;

  return {
    kind,
    itemId,
    form,
    section,
    bringIntoView,
    actions,
    isSaving,
    /** Whether the row to edit is being read. Meanwhile the form is disabled, because typed text would be lost. */
    isOpening,
    /** Whether the form edits an item or has unsaved input (specification §4). */
    isDirty: form.target !== null || kind.isDirty(form.values),
    save: () =>
      form.target === null ? store(form.newId, form.sent, true) : store(form.target, form.base, false),
    notice: visibleConflict && {
      text: conflictText(visibleConflict.values),
      actions: conflictActions(visibleConflict),
    },
  };
}

async function readValues(kind: ContentKind, id: string): Promise<FormValues | null> {
  const row = await readItem((await openAuth()).data, kind.table, id);
  return row && toValues(kind, row);
}

function conflictText(stored: object | null): string {
  return stored ? "There is a newer version of this" : "This was deleted elsewhere";
}

/** Runs writes to the same item one at a time, so that a late update can't bring back a deleted item. */
function useWriteQueue() {
  const pending = useRef(new Map<string, Promise<unknown>>());
  return async function enqueueWrite<Result>(id: string, write: () => Promise<Result>): Promise<Result> {
    const writes = pending.current;
    const result = (writes.get(id) ?? Promise.resolve()).catch(() => undefined).then(write);
    writes.set(id, result);
    try {
      return await result;
    } finally {
      if (writes.get(id) === result) writes.delete(id);
    }
  };
}
