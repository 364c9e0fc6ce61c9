import { useCallback, useEffect, useMemo, useReducer, useState } from "react";
import { useListener } from "../ui/use-listener.ts";
import { type Draft, draftStore } from "./draft-store.ts";
import { type FormEvent, hasEdits, reduceForm, startForm } from "./form.ts";

export type DraftedForm<Values extends object> = ReturnType<typeof useDraftedForm<Values>>;

/**
 * Holds a form (`form.ts`), and keeps its values as a draft in the browser's storage until they are saved or discarded.
 *
 * @param userId null for visitors. If a session ends while the form has unsent text, the form stays as it is.
 * @param formKey see `draftStore`
 */
export function useDraftedForm<Values extends object>(userId: string | null, formKey: string, empty: Values) {
  const [ownerId, setOwnerId] = useState(userId);
  const store = useMemo(() => draftStore(ownerId, formKey, empty), [ownerId, formKey, empty]);
  const [form, send] = useReducer(reduceForm<Values>, empty, startForm);
  const [drafts, setDrafts] = useState(() => store.all());
  const [discarded, setDiscarded] = useState<Draft<Values> | null>(null);
  const [isKept, setIsKept] = useState(true);
  const isEdited = hasEdits(form);
  const offered = drafts.find(({ id }) => id !== form.id);

  // Start again with an empty form and the drafts of the member who is now signed in.
  const isOtherMember = userId !== null && userId !== ownerId;
  const isSignedOut = userId === null && ownerId !== null;
  if (isOtherMember || (isSignedOut && !isEdited)) {
    setOwnerId(userId);
    setDrafts(draftStore(userId, formKey, empty).all());
    setDiscarded(null);
    send({ type: "opened", rowId: null, values: empty });
  }

  useEffect(() => {
    if (!isEdited) store.drop(form.id);
    const { id, rowId, newRowId, values, base, sent } = form;
    setIsKept(!isEdited || store.keep({ id, rowId, newRowId, values, base, sent }));
  }, [store, form, isEdited]);

  // Stop offering drafts that were sent or discarded in another tab, but don't offer those that are being typed there.
  useListener("storage", () => {
    const remaining = new Set(store.all().map(({ id }) => id));
    setDrafts((known) => known.filter(({ id }) => remaining.has(id)));
  });

  /** Changes which text the form shows. The text before remains a draft, which the form offers to restore. */
  function replace(event: FormEvent<Values>) {
    send(event);
    setDrafts(store.all());
  }

  const rebase = useCallback((base: Values) => send({ type: "rebased", base }), []);

  return {
    ...form,
    send,
    offered,
    /** The draft that the member has just discarded. */
    discarded,
    /** False if the browser could not store the draft. The form then shows a warning. */
    isKept,
    /** Whether the session has ended, but the form still shows the member's text. */
    isSignedOut,
    change: (part: Partial<Values>) => send({ type: "changed", part }),
    /** Opens a row for editing. */
    open: (rowId: string, values: Values) => replace({ type: "opened", rowId, values }),
    /** Shows an empty form. */
    close: () => replace({ type: "opened", rowId: null, values: empty }),
    /** Fills in other values for the same row. */
    fillIn: (values: Values) => replace({ type: "filledIn", values }),
    /** Shows a form that starts with these values, and deletes the draft of what has been saved or discarded. */
    restart(base: Values = empty) {
      store.drop(form.id);
      replace({ type: "saved", formId: form.id, base });
    },
    /** Deletes the draft without changing the form, which is about to disappear. */
    dropDraft: () => store.drop(form.id),
    /** Reapplies the member's edits on top of a new base, such as the stored profile once it has been read. */
    rebase,
    restoreOffered() {
      if (!offered) return;
      const { keptAt, ...draft } = offered;
      store.drop(draft.id);
      replace({ type: "restored", draft, empty });
    },
    discardOffered() {
      if (!offered) return;
      store.drop(offered.id);
      setDiscarded(offered);
      setDrafts(store.all());
    },
    /** Offers the discarded draft again. */
    undoDiscard() {
      if (discarded) store.keep(discarded);
      setDiscarded(null);
      setDrafts(store.all());
    },
  };
}
