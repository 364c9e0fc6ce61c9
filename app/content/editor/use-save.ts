import { type RefObject, useState } from "react";
import { flushSync } from "react-dom";
import type { FormValues } from "../../../common/kinds/kind-definition.ts";
import { isSame } from "../../drafts/draft-store.ts";
import type { DraftedForm } from "../../drafts/use-drafted-form.ts";
import { announce } from "../../ui/announce.tsx";
import { isFocusFree } from "../../ui/focus.ts";
import { useSending } from "../../ui/use-sending.ts";
import type { ContentKind } from "../content-kind.ts";
import { readValues, upsertValues } from "./item-values.ts";
import type { EnqueueWrite } from "./use-write-queue.ts";

type Outcome = "saved" | "deleted elsewhere" | { newer: FormValues };

/** A save that was not carried out, because another tab or device has changed or deleted the item. */
interface Conflict {
  /** The id of the draft that was not saved. When the form shows another draft, the notice disappears. */
  draftId: string;
  itemId: string;
  /** The stored values, or null if the item was deleted. */
  newer: FormValues | null;
}

interface SaveOptions {
  kind: ContentKind;
  userId: string | null;
  form: DraftedForm<FormValues>;
  section: RefObject<HTMLElement | null>;
  bringIntoView(): void;
  enqueueWrite: EnqueueWrite;
  onSaved(id: string): Promise<void>;
  onRemoved(id: string): Promise<void>;
}

/** Saves the form. If another tab or device has changed or deleted the item, asks the member what to do. */
export function useSave(options: SaveOptions) {
  const { kind, userId, form, section, bringIntoView, enqueueWrite, onSaved, onRemoved } = options;
  const { isSending: isSaving, send } = useSending();
  const [conflict, setConflict] = useState<Conflict | null>(null);

  /** Creates the item. If an earlier attempt created it, but its response was lost, updates the item instead. */
  const create = () =>
    write(form.newRowId, async () => {
      const stored = form.sent && (await readValues(kind, form.newRowId));
      if (form.sent && stored && !isSame(form.sent, stored)) return { newer: stored };
      form.markSent();
      await upsertValues(kind, userId, form.newRowId, form.values);
      return "saved";
    });

  /**
   * Updates the item if its stored values are still `base`. Doesn't notice a change between the check and the write: a
   * save in that moment is overwritten, and an item that is deleted in that moment is created again.
   */
  const update = (id: string, base: FormValues | null) =>
    write(id, async () => {
      const stored = await readValues(kind, id);
      if (!stored) return "deleted elsewhere";
      if (!base || !isSame(base, stored)) return { newer: stored };
      await upsertValues(kind, userId, id, form.values);
      return "saved";
    });

  async function write(itemId: string, attempt: () => Promise<Outcome>) {
    const outcome = await send(async () => {
      const result = await enqueueWrite(itemId, attempt);
      if (result === "saved") {
        announce(`Saved ${form.values.title}`);
        // Render synchronously, so that the unsaved-changes guard no longer blocks navigation.
        flushSync(() => form.clear());
        return result;
      }
      const newer = result === "deleted elsewhere" ? null : result.newer;
      setConflict({ draftId: form.draftId, itemId, newer });
      announce(conflictText(newer));
      if (isFocusFree(section.current)) bringIntoView();
      return result;
    });
    if (outcome === "saved") await onSaved(itemId);
  }

  function discardMine(itemId: string) {
    form.clear();
    // Leave the page only after `FormNotice` has rendered the empty form: until then, the unsaved-changes guard blocks
    // the navigation.
    queueMicrotask(() => void onRemoved(itemId));
  }

  function conflictActions({ itemId, newer }: Conflict): Record<string, () => void> {
    if (!newer) return { "Discard Mine": () => discardMine(itemId), "Save as New": () => void create() };
    return {
      "Show Newer Version": () => form.open(itemId, newer),
      "Save Mine": () => void update(itemId, newer),
    };
  }

  const isShown = conflict?.draftId === form.draftId;
  return {
    save: () => (form.rowId === null ? create() : update(form.rowId, form.base)),
    isSaving,
    notice: isShown ? { text: conflictText(conflict.newer), actions: conflictActions(conflict) } : null,
  };
}

function conflictText(newer: FormValues | null): string {
  return newer ? "There is a newer version of this item" : "This item was deleted elsewhere";
}
