import type { Ref } from "react";
import { useImperativeHandle, useLayoutEffect, useRef } from "react";
import { type ContentRow, readItem } from "../../data/content-reads.ts";
import { deleteItem, saveItem } from "../../data/content-writes.ts";
import { type DraftedForm, useDraftedForm } from "../../drafts/use-drafted-form.ts";
import type { Auth } from "../../session/auth.ts";
import { useAuth } from "../../session/session.ts";
import { useSending } from "../../ui/use-sending.ts";
import type { ContentKind } from "../kind.ts";

/** What the buttons on a member's own cards do. */
export interface EditorHandle<Row extends ContentRow> {
  edit(item: Row): void;
  /** Returns whether the item is gone. */
  remove(item: Row): Promise<boolean>;
}

/** The form of a content page with what it can do. */
interface Editor<Draft> {
  form: DraftedForm<Draft>;
  isSaving: boolean;
  /** Edit mode, or something in a field that counts (specification §4). */
  isDirty: boolean;
  /** Stores what the form holds and empties it; a failure leaves everything as it is, without a word (§8). */
  save(): Promise<void>;
}

/** Takes a kind, the member's id, what to do after each write, and where to hand out the cards' actions. */
export function useEditor<Row extends ContentRow, Draft extends object>(
  kind: ContentKind<Row, Draft>,
  userId: string,
  {
    itemId,
    onWritten,
    onOpened,
    ref,
  }: { itemId: string | undefined; onWritten(): void; onOpened(): void; ref: Ref<EditorHandle<Row>> },
): Editor<Draft> {
  const openAuth = useAuth();
  // What is left unsent on an item's own page is offered there, and in the list.
  const page = itemId === undefined ? kind.table : `${kind.table}.${itemId}`;
  const form = useDraftedForm(userId, page, kind.newDraft);
  const { isSending: isSaving, send } = useSending();

  // What is under way outlives the rendering that began it.
  const now = useRef({ form, isSaving });
  useLayoutEffect(() => {
    now.current = { form, isSaving };
  });
  const wanted = useRef<string>(undefined);
  const leaving = useRef(new Set<string>());

  useImperativeHandle(
    ref,
    () => ({
      async edit(item) {
        wanted.current = item.id;
        const row = await completeRow(kind, item, openAuth).catch(() => null);
        if (!row || wanted.current !== item.id || now.current.isSaving) return;
        now.current.form.open(row.id, kind.toDraft(row));
        onOpened();
      },
      async remove({ id }) {
        if (leaving.current.has(id)) return false;
        leaving.current.add(id);
        const isGone = await openAuth()
          .then(({ data }) => deleteItem(data, kind.table, id))
          .catch(() => false);
        leaving.current.delete(id);
        if (!isGone) return false;
        if (now.current.form.target === id) now.current.form.clear();
        onWritten();
        return true;
      },
    }),
    [kind, openAuth, onOpened, onWritten],
  );

  async function store(): Promise<boolean> {
    const { data } = await openAuth();
    const row = {
      ...kind.toRow(form.values),
      [kind.owner]: userId,
      ...(form.target !== null && { id: form.target }),
      ...(kind.isStamped && { updated_at: new Date().toISOString() }),
    };
    return saveItem(data, kind.table, row);
  }

  return {
    form,
    isSaving,
    isDirty: form.target !== null || kind.isDirty(form.values),
    save: () =>
      send(async () => {
        if (!(await store().catch(() => false))) return;
        form.clear();
        onWritten();
      }),
  };
}

/** Takes an item as the list has it, returns it with its long text: documents leave that out of their data. */
async function completeRow<Row extends ContentRow, Draft>(
  { table, rendered }: ContentKind<Row, Draft>,
  item: Row,
  openAuth: () => Promise<Auth>,
): Promise<Row | null> {
  if (!rendered || item[rendered.field] !== undefined) return item;
  return (await readItem((await openAuth()).data, table, item.id)) as Row | null;
}
