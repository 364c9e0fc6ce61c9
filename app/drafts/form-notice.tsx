import { useEffect, useId, useRef } from "react";
import { flushSync } from "react-dom";
import { Link } from "react-router";
import { announce } from "../ui/announce.tsx";
import { Button, ignoreDoubleClick } from "../ui/button.tsx";
import { focusHeading, mayMoveFocus } from "../ui/focus.ts";
import { SIGNED_OUT } from "./signed-out.ts";
import type { DraftedForm } from "./use-drafted-form.ts";

const NOTICE =
  "flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-2 bg-marker text-on-marker py-1.5 ps-4 pe-1.5 text-sm";

interface FormNoticeProps {
  text: string;
  /** The title of the item that the notice is about. */
  title?: string | undefined;
  actions: Record<string, () => void>;
}

/** `actions` maps each button's label to its action. */
export function FormNotice({ text, title, actions }: FormNoticeProps) {
  const notice = useRef<HTMLDivElement>(null);
  const textId = useId();
  const sentence = title ? `${text}: ${title}` : text;
  useEffect(() => announce(sentence), [sentence]);

  // Move the focus first: the action removes the notice with its focused button, and maybe the form.
  function run(action: () => void) {
    focusHeading(notice.current?.closest("section")?.querySelector("h2"));
    flushSync(action);
    if (mayMoveFocus()) focusHeading();
  }

  return (
    // `announce` passes the text to screen readers, which ignore a live region that is inserted together with its text.
    <div ref={notice} role="status" aria-live="off" className={NOTICE}>
      <p id={textId} className="min-w-0 truncate">
        {text}
        {title && <span className="font-medium">{`: ${title}`}</span>}
      </p>
      <div className="-ms-3 flex flex-wrap gap-x-1 sm:ms-0">
        {Object.entries(actions).map(([label, action]) => (
          <Button
            key={label}
            variant="plain"
            aria-describedby={textId}
            onClick={ignoreDoubleClick(() => run(action))}
          >
            {label}
          </Button>
        ))}
      </div>
    </div>
  );
}

interface DraftNoticeProps<Values extends object> {
  form: DraftedForm<Values>;
  /** The title of a draft. An empty string if drafts have none. */
  titleOf(values: Values): string;
  onRestore(): void;
}

/** Offers to restore the newest draft, and to keep the one that the member has just discarded. */
export function DraftNotice<Values extends object>({ form, titleOf, onRestore }: DraftNoticeProps<Values>) {
  const { offered, discarded } = form;
  const undo = discarded && { "Keep Draft": form.undoDiscard };
  if (!offered) return undo && <FormNotice actions={undo} text="The draft is discarded." />;
  return (
    <FormNotice
      actions={{ Restore: onRestore, Discard: form.discardOffered, ...undo }}
      text="You have an unsent draft"
      title={titleOf(offered.values)}
    />
  );
}

export function DraftWarning() {
  return (
    <p role="alert" className="mt-2 bg-marker px-4 py-2.5 text-sm text-on-marker">
      This browser cannot store your draft. Save your work before you leave this page.
    </p>
  );
}

export function SignedOutNotice() {
  useEffect(() => announce(SIGNED_OUT), []);
  return (
    <div className={NOTICE}>
      <p>{SIGNED_OUT}</p>
      <Link
        to="/profile"
        className="inline-flex min-h-11 items-center px-3 font-semibold underline underline-offset-4"
      >
        Sign in
      </Link>
    </div>
  );
}

/** Explains why a submitted form has not been saved yet. */
export function WaitingNotice() {
  return (
    <p role="alert" className="text-sm font-medium">
      Wait until the pictures are uploaded, or cancel the uploads.
    </p>
  );
}
