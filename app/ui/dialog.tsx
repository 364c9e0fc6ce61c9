import { type ReactNode, useId, useLayoutEffect, useRef } from "react";

/**
 * Takes whether it is open, title, text, what Escape means, and the buttons, of which the first gets the focus.
 * The browser's own modal dialog: it keeps the focus inside and gives it back when it closes.
 */
export function AlertDialog({
  isOpen,
  title,
  text,
  onCancel,
  children,
}: {
  isOpen: boolean;
  title: string;
  text: string;
  onCancel(): void;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const textId = useId();

  useLayoutEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);

  return (
    <dialog
      ref={dialog}
      // Nothing is a dialog while nothing is asked.
      role={isOpen ? "alertdialog" : undefined}
      aria-labelledby={titleId}
      aria-describedby={textId}
      // Escape, in the same step: until the browser has told that a dialog is closed, the next one may have been asked for.
      onCancel={(event) => {
        event.preventDefault();
        onCancel();
      }}
      // Where the browser does not ask, it closes by itself. The same event follows, later, when the page has closed it.
      onClose={({ currentTarget }) => isOpen && !currentTarget.open && onCancel()}
      className="m-auto w-[min(28rem,calc(100vw-2.5rem))] rounded-lg border border-line bg-surface p-6 text-ink backdrop:bg-[#14130fa6] sm:p-8"
    >
      {isOpen && (
        <>
          <h2 id={titleId} className="font-display text-2xl font-bold tracking-tight">
            {title}
          </h2>
          <p id={textId} className="mt-3 leading-7 text-muted">
            {text}
          </p>
          <div className="mt-6 flex justify-end gap-3">{children}</div>
        </>
      )}
    </dialog>
  );
}
