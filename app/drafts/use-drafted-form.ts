import { useCallback, useEffect, useMemo, useState } from "react";
import { v4 as newUuid } from "uuid";
import { useListener } from "../ui/use-listener.ts";
import { changedFields, type Draft, draftStore, isSame } from "./draft-store.ts";

type Form<Values> = Omit<Draft<Values>, "keptAt"> & { newRowId: string };

export type DraftedForm<Values extends object> = ReturnType<typeof useDraftedForm<Values>>;

/**
 * Holds a form's values, and keeps them as a draft in the browser's storage until they are saved or discarded.
 *
 * @param formKey see `draftStore`
 */
export function useDraftedForm<Values extends object>(userId: string | null, formKey: string, empty: Values) {
  const store = useMemo(() => draftStore(userId, formKey, empty), [userId, formKey, empty]);
  const [form, setForm] = useState<Form<Values>>(() => freshForm(empty));
  const [drafts, setDrafts] = useState(() => store.all());
  const [isKept, setIsKept] = useState(true);
  const isTouched = form.base === null || !isSame(form.base, form.values);
  const offered = drafts.find(({ id }) => id !== form.id);

  // The store changes when the member signs out or another one signs in. Start again with an empty form and its drafts.
  const [shownStore, setShownStore] = useState(store);
  if (store !== shownStore) {
    setShownStore(store);
    setForm(freshForm(empty));
    setDrafts(store.all());
  }

  useEffect(() => {
    if (!isTouched) store.drop(form.id);
    setIsKept(!isTouched || store.keep(form));
  }, [store, form, isTouched]);

  // Stop offering drafts that were sent or discarded in another tab, but don't offer those that are being typed there.
  useListener("storage", () => {
    const remaining = new Set(store.all().map(({ id }) => id));
    setDrafts((known) => known.filter(({ id }) => remaining.has(id)));
  });

  function replace(next: Form<Values>) {
    setForm(next);
    setDrafts(store.all());
  }

  const rebase = useCallback((base: Values) => setForm((current) => rebased(current, base)), []);

  return {
    /** The id of the form's draft. It changes whenever the form shows another row or another draft. */
    draftId: form.id,
    /** The id of the row being edited, or null for a new row. */
    rowId: form.rowId,
    values: form.values,
    base: form.base,
    newRowId: form.newRowId,
    sent: form.sent,
    offered,
    /** False if the browser could not store the draft. The form then shows a warning. */
    isKept,
    change: (part: Partial<Values>) =>
      setForm((current) => ({ ...current, values: { ...current.values, ...part } })),
    markSent: () => setForm((current) => ({ ...current, sent: form.values })),
    /** Opens a row for editing. The previous edits remain a draft, which the form offers to restore. */
    open: (rowId: string, values: Values) => replace({ ...freshForm(values), rowId }),
    /** Shows an empty form. The previous edits remain a draft, which the form offers to restore. */
    close: () => replace(freshForm(empty)),
    /** Fills in other values for the same row. The previous edits remain a draft, which the form offers to restore. */
    fillIn: (values: Values) => replace({ ...form, id: newUuid(), values }),
    /** Shows an empty form and deletes the draft. */
    clear() {
      store.drop(form.id);
      replace(freshForm(empty));
    },
    /** Reapplies the member's edits on top of a new base, such as the stored profile once it has been read. */
    rebase,
    restoreOffered() {
      if (!offered) return;
      const { keptAt, ...kept } = offered;
      store.drop(kept.id);
      // Use a new id, because another tab may still be writing its draft under the old id.
      const draft = { ...kept, newRowId: kept.newRowId ?? newUuid(), id: newUuid() };
      const isNewRow = draft.rowId === null;
      // Apply the draft to what the form starts with: the stored row in a profile's form, empty values for a new item.
      const newRowBase = form.rowId === null ? form.base : empty;
      replace(isNewRow && newRowBase ? rebased(draft, newRowBase) : draft);
    },
    discardOffered() {
      if (!offered) return;
      store.drop(offered.id);
      setDrafts(store.all());
    },
  };
}

function rebased<Values extends object>(form: Form<Values>, base: Values): Form<Values> {
  return { ...form, base, values: { ...base, ...changedFields(form.base ?? base, form.values) } };
}

function freshForm<Values>(values: Values): Form<Values> {
  return { id: newUuid(), newRowId: newUuid(), rowId: null, values, base: values };
}
