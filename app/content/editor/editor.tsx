import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import { flushSync } from "react-dom";
import { DraftNotice, FormNotice } from "../../drafts/form-notice.tsx";
import { Button } from "../../ui/button.tsx";
import { fieldOf } from "../../ui/field.tsx";
import { focusHeading, isFocusFree } from "../../ui/focus.ts";
import { UnsavedChanges } from "../../ui/unsaved-changes.tsx";
import { EditorFrame } from "./editor-frame.tsx";
import { type EditorProps, useEditor } from "./use-editor.ts";

export default function Editor(props: EditorProps): ReactNode {
  const { kind, itemId } = props;
  const { texts } = kind;
  const section = useRef<HTMLElement>(null);

  function bringIntoView() {
    section.current?.scrollIntoView();
    section.current?.querySelector<HTMLElement>("form input")?.focus({ preventScroll: true });
  }

  const { form, notice, isSaving, isOpening, isDirty, save } = useEditor(props, bringIntoView);
  const isEditing = form.target !== null;

  // The session may end while the focus is in the form.
  useEffect(
    () => () => {
      if (isFocusFree()) focusHeading();
    },
    [],
  );

  function submit(event: FormEvent) {
    event.preventDefault();
    void save();
  }

  function restore() {
    // At once: on an item's page there is no form before.
    flushSync(() => form.restore());
    bringIntoView();
  }

  function cancel() {
    const card = document.getElementById(form.target ?? "");
    form.clear();
    card?.scrollIntoView({ block: "nearest" });
    const edit = card?.querySelector<HTMLElement>("[data-edit]");
    if (edit) edit.focus({ preventScroll: true });
    else focusHeading(section.current?.querySelector("h2"));
  }

  const draft = form.offered && (
    <DraftNotice title={form.offered.values.title} onRestore={restore} onDiscard={form.discard} />
  );
  if (!isEditing && itemId !== undefined) return draft;
  return (
    <>
      <form onSubmit={submit} aria-busy={isSaving || isOpening}>
        <fieldset disabled={isSaving || isOpening} className="min-w-0">
          <legend className="sr-only">{isEditing ? texts.editHeading : texts.createHeading}</legend>
          <EditorFrame
            ref={section}
            heading={isEditing ? texts.editHeading : texts.createHeading}
            submit={isEditing ? texts.updateButton : texts.createButton}
            cancel={isEditing && <Button onClick={cancel}>Cancel</Button>}
            notice={notice ? <FormNotice actions={notice.actions}>{notice.text}</FormNotice> : draft}
          >
            <kind.Fields values={form.values} field={fieldOf(form.values, form.change)} />
          </EditorFrame>
        </fieldset>
      </form>
      <UnsavedChanges isDirty={isDirty} onLeave={form.clear} />
    </>
  );
}
