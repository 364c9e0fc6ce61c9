import { useEffectEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useOperation } from "../operation/use-operation.ts";
import { announce } from "../ui/announce.tsx";
import { Button, ignoreDoubleClick } from "../ui/button.tsx";
import { focusElement, focusHeading, mayMoveFocus } from "../ui/focus.ts";
import { type Deletion, nameOfDeletion } from "./deletion.ts";
import { restoreProblem } from "./restore-texts.ts";

export { restoreRow } from "./versions.ts";

interface DeletedNoticeProps {
  deletion: Deletion;
  /** Shows the restored row on the page. */
  onRestored(): Promise<void>;
  onDismiss(): void;
}

export default function DeletedNotice({ deletion, onRestored, onDismiss }: DeletedNoticeProps) {
  const { title, id, restore } = deletion;
  const notice = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { isPending: isRestoring, run } = useOperation();
  const textId = useId();

  const arrive = useEffectEvent(() => {
    if (!deletion.takesFocus || !notice.current || !mayMoveFocus(document.getElementById(id))) return;
    // From here, Tab leads to Undo.
    focusElement(notice.current);
    notice.current.scrollIntoView({ block: "nearest" });
  });
  // A layout effect, so that a new page doesn't focus its heading first.
  useLayoutEffect(() => arrive(), []);

  async function undo() {
    const result = await run(async () => {
      const failure = restoreProblem(await restore(), nameOfDeletion(deletion));
      if (failure === null) await onRestored().catch(() => undefined);
      return failure;
    });
    if (result.is === "superseded") return;
    const failure = result.is === "done" ? result.value : restoreProblem("failed", nameOfDeletion(deletion));
    setProblem(failure);
    if (failure) return announce(failure);
    close(document.getElementById(id)?.querySelector<HTMLElement>("h2, button"));
    // After the focus has moved, because Orca drops earlier announcements then.
    announce(`Restored ${title}`);
  }

  function close(next: HTMLElement | null | undefined) {
    // A later deletion may have replaced this notice.
    const hasFocus = notice.current !== null && mayMoveFocus(notice.current);
    // Before the notice is removed, because screen readers would go on at the start of the page.
    if (hasFocus && next?.matches("button")) next.focus();
    else if (hasFocus) focusHeading(next);
    flushSync(onDismiss);
    if (hasFocus) next?.scrollIntoView({ block: "nearest" });
  }

  const dismiss = () => close(headingAfter(notice.current, document.getElementById(id)));

  return (
    <div
      ref={notice}
      role="status"
      // `announce` passes the text to screen readers, which ignore a live region that is inserted together with its text.
      aria-live="off"
      className="my-4 flex min-w-0 outline-none flex-wrap items-center justify-between gap-x-4 gap-y-1 bg-marker py-1.5 ps-4 pe-1.5 text-on-marker print:hidden"
    >
      <p id={textId} dir="auto" className="min-w-0 [overflow-wrap:anywhere]">
        {problem ?? `Deleted ${nameOfDeletion(deletion)}.`}
      </p>
      <div className="-ms-3 flex gap-x-1 sm:ms-0">
        <Button
          variant="plain"
          aria-disabled={isRestoring}
          aria-describedby={textId}
          onClick={ignoreDoubleClick(undo)}
        >
          Undo
        </Button>
        <Button variant="plain" onClick={dismiss}>
          Dismiss
        </Button>
      </div>
    </div>
  );
}

/**
 * Returns the first heading after the notice. Skips the one in the deleted item's card, because that card disappears as
 * soon as the list has been reloaded.
 */
function headingAfter(notice: Element | null, deletedCard: Element | null): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>("main :is(h1, h2)")].find(
    (heading) =>
      notice &&
      notice.compareDocumentPosition(heading) & Node.DOCUMENT_POSITION_FOLLOWING &&
      !deletedCard?.contains(heading),
  );
}
