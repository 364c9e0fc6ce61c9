import { type RefObject, useState } from "react";
import { flushSync } from "react-dom";
import { saveItem } from "../../data/content-writes.ts";
import { isSame } from "../../drafts/draft-store.ts";
import type { DraftedForm } from "../../drafts/use-drafted-form.ts";
import { openAuth } from "../../session/open-auth.ts";
import { announce } from "../../ui/announce.tsx";
import { isFocusFree } from "../../ui/focus.ts";
import { useSending } from "../../ui/use-sending.ts";
import type { ContentKind } from "../content-kind.ts";
import { toColumns } from "../kinds/form-values.ts";
import type { FormValues } from "../kinds/kind-definition.ts";
import { readValues } from "./read-values.ts";
import type { EnqueueWrite } from "./use-write-queue.ts";

/** A save was refused, because another tab or device has changed or deleted the item. */
interface Conflict {
  /** The id of the form that has the conflict. It changes when the form shows another item, which hides the notice. */
  formId: string;
  itemId: string;
  /** The stored values, or null if the item was deleted. */
  stored: FormValues | null;
}

interface SaveOptions {
  kind: ContentKind;
  userId: string | null;
  form: DraftedForm<FormValues>;
  section: RefObject<HTMLElement | null>;
  bringIntoView(): void;
  enqueueWrite: EnqueueWrite;
  onWritten(id: string | null): Promise<void>;
}

/** Saves the form. Never overwrites what another tab or device has stored without asking the member. */
export function useSave(options: SaveOptions) {
  const { kind, userId, form, section, bringIntoView, enqueueWrite, onWritten } = options;
  const { isSending: isSaving, send } = useSending();
  const [conflict, setConflict] = useState<Conflict | null>(null);

  /** Creates the item. The request that is sent again after a lost response updates the row that the first created. */
  function create() {
    const id = form.newId;
    return save(id, async () => {
      const stored = form.sent && (await readValues(kind, id));
      if (form.sent && stored && !isSame(form.sent, stored)) return { stored };
      form.markSent();
      await upsert(id);
      return null;
    });
  }

  /** Updates the item, unless its stored values are no longer `base`. */
  function update(id: string, base: FormValues | null) {
    return save(id, async () => {
      const stored = await readValues(kind, id);
      if (!stored || !base || !isSame(base, stored)) return { stored };
      await upsert(id);
      return null;
    });
  }

  async function upsert(id: string): Promise<void> {
    const { data } = await openAuth();
    await saveItem(data, kind.table, {
      ...toColumns(kind, form.values),
      id,
      [kind.owner]: userId,
      ...(kind.isStamped && { updated_at: new Date().toISOString() }),
    });
  }

  /** Runs a write, which returns null or, if it would overwrite another save, the values that are stored now. */
  async function save(itemId: string, write: () => Promise<{ stored: FormValues | null } | null>) {
    let isSaved = false;
    await send(async () => {
      const conflicting = await enqueueWrite(itemId, write);
      if (conflicting) {
        setConflict({ formId: form.id, itemId, stored: conflicting.stored });
        announce(conflictText(conflicting.stored));
        if (isFocusFree(section.current)) bringIntoView();
        return;
      }
      announce(`Saved ${form.values.title}`);
      // Render synchronously, so that the unsaved-changes guard no longer blocks navigation.
      flushSync(() => form.clear());
      isSaved = true;
    });
    if (isSaved) await onWritten(itemId);
  }

  function discard() {
    form.clear();
    // Wait for the render, or the unsaved-changes guard would block the navigation to the list.
    queueMicrotask(() => void onWritten(null));
  }

  function conflictActions({ itemId, stored }: Conflict): Record<string, () => void> {
    if (!stored) return { "Discard Mine": discard, "Save as New": () => void create() };
    return {
      "Show Newer Version": () => form.open(itemId, stored),
      "Save Mine": () => void update(itemId, stored),
    };
  }

  const isShown = conflict?.formId === form.id;
  return {
    save: () => (form.target === null ? create() : update(form.target, form.base)),
    isSaving,
    notice:
      conflict && isShown
        ? { text: conflictText(conflict.stored), actions: conflictActions(conflict) }
        : null,
  };
}

function conflictText(stored: FormValues | null): string {
  return stored ? "There is a newer version of this" : "This was deleted elsewhere";
}
