import { type RefObject, useLayoutEffect, useMemo, useRef } from "react";
import { flushSync } from "react-dom";
import { deleteRow } from "../../../common/data/content-writes.ts";
import type { FormValues } from "../../../common/kinds/kind-definition.ts";
import type { DraftedForm } from "../../drafts/use-drafted-form.ts";
import type { Deletion } from "../../history/deletion.ts";
import { restoringRow, useDeletions } from "../../history/deletion-context.tsx";
import type { useOperation } from "../../operation/use-operation.ts";
import { memberData } from "../../session/member-data.ts";
import { announce } from "../../ui/announce.tsx";
import { mayMoveFocus } from "../../ui/focus.ts";
import type { ContentKind } from "../content-kind.ts";
import { readValues } from "./item-values.ts";

/** The actions of the buttons on a member's own cards. */
export interface ItemActions {
  edit(id: string, button: HTMLElement): Promise<void>;
  /** Resolves to true if a notice about the deletion takes the focus. Throws if the deletion failed. */
  remove(
    id: string,
    title: string,
    notice: Pick<Deletion, "place" | "previousId" | "leadsTo">,
  ): Promise<boolean>;
}

interface ItemActionsOptions {
  kind: ContentKind;
  form: DraftedForm<FormValues>;
  isSaving: boolean;
  /** Receives the Edit button that opened the form, so that Cancel can return the focus to it. */
  openedBy: RefObject<HTMLElement | null>;
  bringIntoView(): void;
  opening: ReturnType<typeof useOperation>;
  onRemoved(id: string): Promise<void>;
}

/** Returns the same object while the kind is the same, so that typing in the form does not re-render every card. */
export function useItemActions(options: ItemActionsOptions): ItemActions {
  const { kind } = options;
  const { show } = useDeletions();

  // Async work must read the latest form, not the one it closed over.
  const latest = useRef(options);
  useLayoutEffect(() => {
    latest.current = options;
  });

  return useMemo<ItemActions>(() => {
    async function edit(id: string, button: HTMLElement) {
      const isOpen = latest.current.form.rowId === id && !latest.current.isSaving;
      // Keep what the member has typed since the first press.
      if (isOpen) return latest.current.bringIntoView();
      // A pending save of the form comes first.
      const result = await latest.current.opening.run(() => readValues(kind, id));
      const { form, openedBy, bringIntoView } = latest.current;
      if (result.is !== "done" || result.value === null) return;
      const values = result.value;
      // Render synchronously, because a disabled field can't take the focus.
      flushSync(() => form.open(id, values));
      openedBy.current = button;
      if (mayMoveFocus(button)) bringIntoView();
    }

    async function remove(...[id, title, notice]: Parameters<ItemActions["remove"]>) {
      const client = await memberData();
      const row = await deleteRow(client, kind.table, id);
      const takesFocus = mayMoveFocus(document.getElementById(id));
      // If another tab has already deleted the row, there is nothing to undo.
      if (row) show({ title, id, takesFocus, ...notice, restore: restoringRow(client, kind, row) });
      else announce(`Deleted "${title}".`);
      const { form, onRemoved } = latest.current;
      if (form.rowId === id) flushSync(() => form.close());
      void onRemoved(id);
      return row !== null;
    }

    return { edit, remove };
  }, [kind, show]);
}
