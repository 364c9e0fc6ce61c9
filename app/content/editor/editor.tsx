import { type FormEvent, lazy, type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { flushSync } from "react-dom";
import type { FormValues } from "../../../common/kinds/kind-definition.ts";
import {
  DraftNotice,
  DraftWarning,
  FormNotice,
  SignedOutNotice,
  WaitingNotice,
} from "../../drafts/form-notice.tsx";
import { SIGNED_OUT, useIsSignedOut } from "../../drafts/signed-out.ts";
import { preloadNotice } from "../../history/deletion-context.tsx";
import { UnsavedChanges } from "../../router/unsaved-changes.tsx";
import { announce } from "../../ui/announce.tsx";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Disclosure } from "../../ui/disclosure.tsx";
import { fieldOf } from "../../ui/field.tsx";
import { Fieldset } from "../../ui/fieldset.tsx";
import { focusHeading, mayMoveFocus } from "../../ui/focus.ts";
import { LoadBoundary } from "../../ui/load-boundary.tsx";
import { Saving } from "../../ui/saving.tsx";
import { COMMAND_KEY, submitOnCtrlEnter } from "../../ui/text-editing.ts";
import { useEditorContext } from "./editor-context.tsx";
import { NameHint } from "./name-hint.tsx";

const EarlierVersionsList = lazy(() => import("../../history/earlier-versions.tsx"));

export default function Editor(): ReactNode {
  const editor = useEditorContext();
  const { kind, itemId, form, notice, isOpening, isDirty, save } = editor;
  const { section, openedBy, bringIntoView, userId, isFoldable, isUnfolded } = editor;
  const { texts, Fields } = kind;
  const isEditing = form.rowId !== null;
  const isSaving = form.status.is === "sending";
  const isSignedOut = useIsSignedOut(form);

  // The member may have asked for the form before its code was loaded.
  const showOpened = useEffectEvent(() => {
    if (isEditing && mayMoveFocus(document.getElementById(form.rowId ?? ""))) bringIntoView();
  });
  // A link to the form focuses the page's heading until the item has been read.
  const followLink = useEffectEvent(() => {
    if (isEditing && mayMoveFocus(document.querySelector("main h1"))) bringIntoView();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form appears when an item is opened in it
  useEffect(() => followLink(), [form.rowId]);
  useEffect(() => {
    preloadNotice();
    showOpened();
    return () => {
      // The form may unmount while it has the focus, e.g. when the session ends. Then move the focus to the page's
      // heading.
      if (mayMoveFocus()) focusHeading();
    };
  }, []);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isSignedOut) announce(SIGNED_OUT);
    else void save();
  }

  function restore() {
    // Render synchronously: an item's page doesn't show the form, which gets the focus, until the draft is restored.
    flushSync(() => form.restoreOffered());
    bringIntoView();
  }

  function fillWithVersion(values: FormValues) {
    form.fillIn(values);
    announce("The form now contains the earlier version. Use Update to save it.");
    bringIntoView();
  }

  function cancel() {
    const card = document.getElementById(form.rowId ?? "");
    const editButton = openedBy.current;
    if (editButton && card?.contains(editButton)) editButton.focus({ preventScroll: true });
    else focusHeading(section.current?.querySelector("h2"));
    // Scroll after the form has been folded, which moves the card.
    flushSync(() => form.close());
    card?.scrollIntoView({ block: "nearest" });
  }

  function fold(isOpen: boolean) {
    flushSync(() => editor.unfold(isOpen));
    if (isOpen) bringIntoView();
  }

  const draft = <DraftNotice form={form} titleOf={({ title }) => title} onRestore={restore} />;
  if (!isEditing && itemId !== undefined) return draft;
  const heading = isEditing ? texts.editHeading : texts.createHeading;
  return (
    <>
      <form
        onSubmit={submit}
        onKeyDown={submitOnCtrlEnter}
        aria-busy={isSaving || isOpening}
        data-unsaved={isDirty || undefined}
      >
        <Fieldset isBusy={isSaving || isOpening} className="min-w-0">
          <legend className="sr-only">{heading}</legend>
          <section ref={section} className="scroll-mt-6 border-t-2 border-ink pt-3">
            <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-6 gap-y-1 sm:gap-y-2">
              <div className="flex items-center justify-between gap-x-2 max-sm:w-full">
                <h2 className="font-display text-xl font-bold tracking-tight outline-none sm:text-2xl">
                  {heading}
                </h2>
                {isFoldable && <FoldButton isOpen={isUnfolded} onToggle={fold} />}
              </div>
              {!isEditing && userId !== null && <NameHint key={userId} userId={userId} />}
              {notice ? <FormNotice actions={notice.actions} text={notice.text} /> : draft}
            </div>
            {isSignedOut && <SignedOutNotice />}
            {!form.isKept && <DraftWarning />}
            <div className="form-fields mt-3 min-w-0 space-y-4">
              <Fields
                values={form.values}
                field={fieldOf(form.values, form.change, kind.columns)}
                formUploads={form}
              />
              <div className="flex flex-wrap items-center gap-3">
                <Button type="submit" variant="primary" aria-keyshortcuts="Control+Enter Meta+Enter">
                  {isEditing ? texts.updateButton : texts.createButton}
                </Button>
                {isEditing && <Button onClick={cancel}>Cancel</Button>}
                <Saving isSaving={isSaving}>
                  <span className="text-sm text-muted pointer-coarse:hidden">{`or ${COMMAND_KEY}+Enter`}</span>
                </Saving>
              </div>
              {form.status.is === "waiting" && <WaitingNotice />}
              {isEditing && <EarlierVersions key={form.rowId} onUse={fillWithVersion} />}
            </div>
          </section>
        </Fieldset>
      </form>
      <UnsavedChanges isDirty={isDirty && !form.isSignedOut} values={form.values} onLeft={form.dropDraft} />
    </>
  );
}

/** Opens and closes an untouched form. CSS shows it only where the form may be folded. */
function FoldButton({ isOpen, onToggle }: { isOpen: boolean; onToggle(isOpen: boolean): void }) {
  return (
    <Button
      variant="plain"
      className="fold-button max-sm:-my-1"
      aria-expanded={isOpen}
      onClick={() => onToggle(!isOpen)}
    >
      {isOpen ? "Close" : "Open"}
      <span className="sr-only"> Form</span>
    </Button>
  );
}

/** Loads the item's earlier versions, and the code that compares them with the form, when the member opens the list. */
function EarlierVersions({ onUse }: { onUse(values: FormValues): void }) {
  const { kind, form } = useEditorContext();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div>
      <Disclosure
        isOpen={isOpen}
        onToggle={() => setIsOpen(!isOpen)}
        className={buttonClass("plain", "-ms-3")}
        label="Earlier Versions"
      >
        {form.rowId && (
          <LoadBoundary fallback={<p>Loading…</p>}>
            <EarlierVersionsList kind={kind} itemId={form.rowId} values={form.values} onUse={onUse} />
          </LoadBoundary>
        )}
      </Disclosure>
    </div>
  );
}
