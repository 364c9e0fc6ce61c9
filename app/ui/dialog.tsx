import { type ReactNode, useId, useLayoutEffect, useRef } from "react";

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
      {...(isOpen && { role: "alertdialog", "aria-labelledby": titleId, "aria-describedby": textId })}
      // Escape: when the browser reports the close, the next question may be open.
      onCancel={(event) => {
        event.preventDefault();
        onCancel();
      }}
      // Some browsers close without a cancel event.
      onClose={({ currentTarget }) => isOpen && !currentTarget.open && onCancel()}
      className="m-auto w-card border-2 border-ink bg-paper p-6 text-ink backdrop:bg-veil sm:p-8"
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
