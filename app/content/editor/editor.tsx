import { type FormEvent, type ReactNode, type Ref, useCallback, useEffect, useRef } from "react";
import type { ContentRow } from "../../data/content-reads.ts";
import { DraftNotice } from "../../drafts/draft-notice.tsx";
import { fieldOf } from "../../drafts/field.ts";
import { Button } from "../../ui/button.tsx";
import { focusHeading } from "../../ui/focus.ts";
import { UnsavedChanges } from "../../ui/unsaved-changes.tsx";
import type { ContentKind } from "../kind.ts";
import { EditorFrame } from "./editor-frame.tsx";
import { NewerNotice } from "./newer-notice.tsx";
import { type EditorHandle, useEditor } from "./use-editor.ts";

/**
 * The form that creates and edits a member's items, with the guard of what is typed into it (specification §2, Content
 * pages, and §4). `onWritten` brings the page up to date; it is given the id of what was saved, null after a delete.
 */
export default function Editor<Row extends ContentRow, Values extends { title: string }>({
  kind,
  userId,
  itemId,
  onWritten,
  ref,
}: {
  kind: ContentKind<Row, Values>;
  userId: string;
  /** On an item's own page: the form edits that item and creates none. */
  itemId?: string;
  onWritten(id: string | null): Promise<void>;
  ref: Ref<EditorHandle>;
}): ReactNode {
  const { texts } = kind;
  const section = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);

  const bringIntoView = useCallback(() => {
    section.current?.scrollIntoView();
    section.current?.querySelector<HTMLElement>("form input")?.focus({ preventScroll: true });
  }, []);
  const { form, newer, isSaving, isOpening, isDirty, save } = useEditor(kind, userId, {
    itemId,
    onWritten,
    onOpened: bringIntoView,
    ref,
  });
  const isEditing = form.target !== null;

  useEffect(() => {
    if (itemId !== undefined && isEditing) bringIntoView();
  }, [itemId, isEditing, bringIntoView]);

  function submit(event: FormEvent) {
    event.preventDefault();
    void save();
  }

  function discard() {
    form.discard();
    if (itemId === undefined) heading.current?.focus({ preventScroll: true });
    else focusHeading();
  }

  function restore() {
    form.restore();
    bringIntoView();
  }

  function cancel() {
    const card = document.getElementById(form.target ?? "");
    form.clear();
    card?.scrollIntoView({ block: "nearest" });
    (card?.querySelector<HTMLElement>("[data-edit]") ?? heading.current)?.focus({ preventScroll: true });
  }

  const draft = form.offered && (
    <DraftNotice title={form.offered.values.title} onRestore={restore} onDiscard={discard} />
  );
  if (!isEditing && itemId !== undefined) return draft;
  return (
    <>
      <form onSubmit={submit} aria-busy={isSaving || isOpening}>
        <fieldset disabled={isSaving || isOpening} className="min-w-0">
          <legend className="sr-only">{isEditing ? texts.editHeading : texts.createHeading}</legend>
          <EditorFrame
            ref={section}
            headingRef={heading}
            heading={isEditing ? texts.editHeading : texts.createHeading}
            submit={isEditing ? texts.updateButton : texts.createButton}
            cancel={isEditing && <Button onClick={cancel}>Cancel</Button>}
            notice={
              newer ? (
                <NewerNotice isDeleted={newer.isDeleted} onTake={newer.take} onKeep={newer.keep} />
              ) : (
                draft
              )
            }
          >
            <kind.Fields values={form.values} field={fieldOf(form.values, form.change)} />
          </EditorFrame>
        </fieldset>
      </form>
      <UnsavedChanges isDirty={isDirty} onLeave={form.clear} />
    </>
  );
}
