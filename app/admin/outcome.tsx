import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { ActionResult } from "../../common/data/operators.ts";
import { operations } from "../operation/operations.ts";
import { announce } from "../ui/announce.tsx";
import { Button } from "../ui/button.tsx";
import { mayMoveFocus } from "../ui/focus.ts";
import { AdminError, errorMessage } from "./admin-api.ts";

interface Ended {
  number: number;
  outcome: ActionResult | { problem: string };
}

/** Runs a region's actions, beside each other or, for the same subject, one after the other. Keeps what happened. */
export function useOutcomes() {
  const [pending, setPending] = useState<{ number: number; text: string }[]>([]);
  const [ended, setEnded] = useState<Ended[]>([]);
  const notice = useRef<HTMLDivElement>(null);
  const count = useRef(0);

  /**
   * Resolves to whether the action succeeded.
   *
   * @param subject what the action changes, such as `members/7`
   * @param text what is shown while the action is pending
   */
  async function run(subject: string, text: string, act: () => Promise<ActionResult>): Promise<boolean> {
    const number = ++count.current;
    // An action that ended while another one is pending may have been missed.
    if (pending.length === 0) setEnded([]);
    setPending((known) => [...known, { number, text }]);
    const result = await operations.run({ owner: {}, subjects: [subject] }, act);
    setPending((known) => known.filter((each) => each.number !== number));
    if (result.is === "superseded") return false;
    const isCancelled =
      result.is === "failed" && result.error instanceof AdminError && result.error.code === "cancelled";
    if (isCancelled) return false;
    const outcome = result.is === "done" ? result.value : { problem: errorMessage(result.error) };
    flushSync(() => setEnded((known) => [...known, { number, outcome }]));
    announce("problem" in outcome ? outcome.problem : [outcome.text, outcome.note].filter(Boolean).join(" "));
    return result.is === "done";
  }

  return {
    pending,
    ended,
    notice,
    run,
    dismiss(number: number) {
      // The focused button disappears.
      notice.current?.focus();
      setEnded((known) => known.filter((each) => each.number !== number));
    },
    /** Moves the focus to the notice if the row that had it has just disappeared. */
    receiveFocus() {
      if (mayMoveFocus()) notice.current?.focus();
    },
  };
}

type OutcomeNoticesProps = Omit<ReturnType<typeof useOutcomes>, "run" | "receiveFocus">;

export function OutcomeNotices({ pending, ended, notice, dismiss }: OutcomeNoticesProps) {
  return (
    <div ref={notice} tabIndex={-1} className="outline-none empty:hidden">
      {ended.map(({ number, outcome }) => (
        <div
          key={number}
          className="my-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-2 border-ink p-4"
        >
          {"problem" in outcome ? (
            // `announce` passes the text to screen readers, after the dialog has returned the focus.
            <p role="alert" aria-live="off" className="font-medium wrap-anywhere text-danger">
              {outcome.problem}
            </p>
          ) : (
            <DoneText done={outcome} />
          )}
          <Button onClick={() => dismiss(number)}>Dismiss</Button>
        </div>
      ))}
      {pending.map(({ number, text }) => (
        <p key={number} className="my-4 wrap-anywhere text-muted">
          {text}
        </p>
      ))}
    </div>
  );
}

function DoneText({ done: { text, note, link, removed } }: { done: ActionResult }) {
  return (
    <div className="min-w-0 space-y-2 wrap-anywhere">
      <p className="font-medium">{text}</p>
      {link && <p className="font-mono text-sm select-all">{link}</p>}
      {note && <p className="text-muted">{note}</p>}
      {removed && (
        <p>
          <a
            download="removed.json"
            href={`data:application/json;charset=utf-8,${encodeURIComponent(JSON.stringify(removed, undefined, 2))}`}
            className="inline-flex min-h-11 items-center underline underline-offset-4"
          >
            Download a Copy
          </a>
        </p>
      )}
    </div>
  );
}
