import type { RefObject } from "react";
import { flushSync } from "react-dom";
import type { FormValues } from "../../../common/kinds/kind-definition.ts";
import { areEqual } from "../../drafts/draft-store.ts";
import type { DraftedForm } from "../../drafts/use-drafted-form.ts";
import { useOperation } from "../../operation/use-operation.ts";
import { announce } from "../../ui/announce.tsx";
import { mayMoveFocus } from "../../ui/focus.ts";
import type { ContentKind } from "../content-kind.ts";
import { readValues, type SavedColumns, upsertValues } from "./item-values.ts";

type SaveResult =
  | { is: "saved"; columns: SavedColumns }
  /** Another tab or device has changed or deleted the item. */
  | { is: "changed"; newer: FormValues }
  | { is: "deleted" };

interface SaveOptions {
  kind: ContentKind;
  userId: string | null;
  form: DraftedForm<FormValues>;
  section: RefObject<HTMLElement | null>;
  bringIntoView(): void;
  /** The subject of everything that fills in this form. */
  formSubject: string;
  onSaved(id: string, columns: SavedColumns): Promise<void>;
  onRemoved(id: string): Promise<void>;
}

/** Saves the form. If another tab or device has changed or deleted the item, asks the member what to do. */
export function useSave(options: SaveOptions) {
  const { kind, userId, form, section, bringIntoView, formSubject, onSaved, onRemoved } = options;
  const { run } = useOperation(formSubject);
  const { status } = form;

  /** Creates the item. If an earlier attempt created it, but its response was lost, updates the item instead. */
  const create = () =>
    write(form.newRowId, async () => {
      const stored = form.sent && (await readValues(kind, form.newRowId));
      if (form.sent && stored && !areEqual(form.sent, stored)) return { is: "changed", newer: stored };
      form.send({ type: "creating" });
      return { is: "saved", columns: await upsertValues(kind, userId, form.newRowId, form.values) };
    });

  /**
   * Updates the item if its stored values are still `base`. Doesn't notice a change between the check and the write: a
   * save in that moment is overwritten, and an item that is deleted in that moment is created again.
   */
  const update = (id: string, base: FormValues | null) =>
    write(id, async () => {
      const stored = await readValues(kind, id);
      if (!stored) return { is: "deleted" };
      if (!base || !areEqual(base, stored)) return { is: "changed", newer: stored };
      return { is: "saved", columns: await upsertValues(kind, userId, id, form.values) };
    });

  async function write(itemId: string, attempt: () => Promise<SaveResult>) {
    form.send({ type: "submitted" });
    // Pictures are still uploading. The form says so.
    if (form.uploads.length > 0) return;
    const result = await run(attempt, `${kind.table}/${itemId}`);
    const formId = form.id;
    if (result.is === "failed") return form.send({ type: "failed", formId });
    if (result.is === "superseded") return;
    const outcome = result.value;
    if (outcome.is !== "saved") {
      const newer = outcome.is === "changed" ? outcome.newer : null;
      form.send({ type: "conflicted", formId, rowId: itemId, newer });
      if (mayMoveFocus(section.current)) bringIntoView();
      return;
    }
    announce(`Saved ${form.values.title}`);
    // Render synchronously, so that the unsaved-changes guard no longer blocks navigation.
    flushSync(() => form.restart());
    await onSaved(itemId, outcome.columns);
  }

  function discardMine(itemId: string) {
    form.restart();
    // Leave the page only after `FormNotice` has rendered the empty form: until then, the unsaved-changes guard blocks
    // the navigation.
    queueMicrotask(() => void onRemoved(itemId));
  }

  function conflictActions(itemId: string, newer: FormValues | null): Record<string, () => void> {
    if (!newer) return { "Discard Mine": () => discardMine(itemId), "Save as New": () => void create() };
    return {
      "Show Newer Version": () => form.open(itemId, newer),
      "Save Mine": () => void update(itemId, newer),
    };
  }

  return {
    save: () => (form.rowId === null ? create() : update(form.rowId, form.base)),
    notice:
      status.is === "conflict"
        ? { text: conflictText(status.newer), actions: conflictActions(status.rowId, status.newer) }
        : null,
  };
}

function conflictText(newer: FormValues | null): string {
  return newer ? "There is a newer version of this item" : "This item was deleted elsewhere";
}
