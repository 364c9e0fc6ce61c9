import { type FormEvent, type ReactNode, type Ref, useCallback, useEffect, useRef } from "react";
import type { ContentRow } from "../../data/content-reads.ts";
import { DraftNotice } from "../../drafts/draft-notice.tsx";
import { Button } from "../../ui/button.tsx";
import { focusHeading } from "../../ui/focus.ts";
import { UnsavedChanges } from "../../ui/unsaved-changes.tsx";
import type { ContentKind } from "../kind.ts";
import { type EditorHandle, useEditor } from "./use-editor.ts";

/**
 * Takes a kind, the member's id, and what to do after each write; returns the form that creates and edits his
 * items, and the guard of what is typed into it (specification §2, Content pages, and §4).
 */
export default function Editor<Row extends ContentRow, Draft extends { title: string }>({
  kind,
  userId,
  itemId,
  onWritten,
  ref,
}: {
  kind: ContentKind<Row, Draft>;
  userId: string;
  /** On an item's own page: the form edits that item and creates none. */
  itemId?: string;
  onWritten(): void;
  ref: Ref<EditorHandle<Row>>;
}): ReactNode {
  const { texts } = kind;
  const section = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);

  const bringIntoView = useCallback(() => {
    section.current?.scrollIntoView();
    section.current?.querySelector<HTMLElement>("form input")?.focus({ preventScroll: true });
  }, []);
  const { form, isSaving, isDirty, save } = useEditor(kind, userId, {
    itemId,
    onWritten,
    onOpened: bringIntoView,
    ref,
  });
  const isEditing = form.target !== null;
  const hasForm = isEditing || itemId === undefined;

  useEffect(() => {
    if (itemId !== undefined && isEditing) bringIntoView();
  }, [itemId, isEditing, bringIntoView]);

  function submit(event: FormEvent) {
    event.preventDefault();
    void save();
  }

  /** The button that was pressed is gone with what it did. */
  function thenFocusHeading(act: () => void) {
    act();
    if (itemId === undefined) heading.current?.focus({ preventScroll: true });
    else focusHeading();
  }

  if (!hasForm && !form.offered) return null;
  return (
    <section
      ref={section}
      className="scroll-mt-6 rounded-lg border border-line bg-surface p-5 pt-3 sm:p-7 sm:pt-5"
    >
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2
          ref={heading}
          tabIndex={-1}
          className="font-display text-2xl font-bold tracking-tight outline-none"
        >
          {hasForm && (isEditing ? texts.editHeading : texts.createHeading)}
        </h2>
        {form.offered && (
          <div inert={isSaving} className="min-w-0">
            <DraftNotice
              title={form.offered.values.title}
              onRestore={() => {
                form.restore();
                bringIntoView();
              }}
              onDiscard={() => thenFocusHeading(form.discard)}
            />
          </div>
        )}
      </div>
      {hasForm && (
        <form onSubmit={submit} aria-busy={isSaving} className="mt-3">
          <fieldset disabled={isSaving} className="min-w-0 space-y-4">
            <kind.Fields draft={form.values} onChange={form.change} />
            <div className="flex gap-3">
              <Button type="submit" look="primary">
                {isEditing ? texts.updateButton : texts.createButton}
              </Button>
              {isEditing && <Button onClick={() => thenFocusHeading(form.clear)}>Cancel</Button>}
            </div>
          </fieldset>
        </form>
      )}
      <UnsavedChanges isDirty={isDirty} onLeave={form.clear} />
    </section>
  );
}
