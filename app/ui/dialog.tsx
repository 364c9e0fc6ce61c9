import { type ComponentProps, createContext, type ReactNode, useContext, useId } from "react";
import { TextField } from "./field.tsx";
import { FOCUS_REPORT_MS, focusedElement } from "./focus.ts";

const TextId = createContext<string | undefined>(undefined);

/** A text field of a dialog. The dialog's text describes it. */
export const DialogField = (props: ComponentProps<typeof TextField>) => (
  <TextField aria-describedby={useContext(TextId)} {...props} />
);

interface AlertDialogProps {
  title: string;
  text: string;
  onCancel(): void;
  /** Shown between the text and the buttons. */
  fields?: ReactNode;
  /** The buttons. */
  children: ReactNode;
}

/** A modal dialog that is open while it is mounted. */
export function AlertDialog({ title, text, onCancel, fields, children }: AlertDialogProps) {
  const id = useId();
  return (
    <dialog
      ref={showWhileMounted}
      tabIndex={-1}
      role="alertdialog"
      aria-labelledby={id}
      aria-describedby={`${id}-text`}
      // Handle Escape here. The `close` event fires later, when the member may already have opened the next dialog.
      onCancel={(event) => {
        event.preventDefault();
        onCancel();
      }}
      // Some browsers close the dialog without a `cancel` event. Treat this as Cancel too.
      onClose={onCancel}
      className="m-auto w-card border-2 border-ink bg-paper p-6 text-ink outline-none backdrop:bg-veil sm:p-8"
    >
      <h2 id={id} className="font-display text-2xl font-bold tracking-tight">
        {title}
      </h2>
      <p id={`${id}-text`} className="mt-3 leading-7 text-muted">
        {text}
      </p>
      {fields && (
        <TextId value={`${id}-text`}>
          <div className="mt-4 space-y-4">{fields}</div>
        </TextId>
      )}
      <div className="mt-6 flex flex-wrap justify-end gap-3">{children}</div>
    </dialog>
  );
}

/**
 * Closes the dialog before it unmounts, so that the browser returns the focus to the element that had it before. The
 * dialog itself gets the focus: screen readers then read its title and text, and the next Tab leads to its first control.
 * Its text field gets the focus after that. If the field had it from the start, even for a moment, Orca would say nothing
 * about it, because the rest of the page leaves the accessibility tree at the same moment.
 */
function showWhileMounted(dialog: HTMLDialogElement): () => void {
  dialog.autofocus = true;
  dialog.showModal();
  // Chromium ignores `autofocus` on the dialog itself.
  dialog.focus();
  const timer = setTimeout(() => {
    if (document.activeElement === dialog) dialog.querySelector("input")?.focus();
  }, FOCUS_REPORT_MS);
  return () => {
    clearTimeout(timer);
    const hasField = dialog.querySelector("input") !== null;
    dialog.close();
    if (hasField) setTimeout(repeatFocus, FOCUS_REPORT_MS, document.activeElement);
  };
}

/**
 * Focuses the element that has the focus once more. When a dialog with a focused field closes, Orca goes on at the start
 * of the page, because the field leaves the accessibility tree before the focus has moved.
 */
function repeatFocus(element: Element | null): void {
  if (!(element instanceof HTMLElement) || element !== focusedElement()) return;
  element.blur();
  element.focus({ preventScroll: true });
}
