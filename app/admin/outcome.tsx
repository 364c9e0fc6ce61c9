import { useRef, useState } from "react";
import type { Done } from "../../common/data/operators.ts";
import { announce } from "../ui/announce.tsx";
import { Button } from "../ui/button.tsx";
import { mayMoveFocus } from "../ui/focus.ts";
import { AdminError, messageOf } from "./admin-api.ts";

type Outcome = Done | { problem: string };

/** Runs an action, and keeps what happened for `OutcomeNotice`. Ignores an action while another one is running. */
export function useOutcome() {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const notice = useRef<HTMLDivElement>(null);
  const isBusy = useRef(false);

  /** Resolves to whether the action succeeded. */
  async function run(act: () => Promise<Done>): Promise<boolean> {
    if (isBusy.current) return false;
    isBusy.current = true;
    setOutcome(null);
    try {
      const done = await act();
      setOutcome(done);
      announce([done.text, done.note].filter(Boolean).join(" "));
      return true;
    } catch (error) {
      if (!(error instanceof AdminError && error.code === "cancelled"))
        setOutcome({ problem: messageOf(error) });
      return false;
    } finally {
      isBusy.current = false;
    }
  }

  return {
    outcome,
    notice,
    run,
    dismiss: () => setOutcome(null),
    /** Moves the focus to the notice if the row that had it has just disappeared. */
    receiveFocus() {
      if (mayMoveFocus()) notice.current?.focus();
    },
  };
}

type OutcomeNoticeProps = Pick<ReturnType<typeof useOutcome>, "outcome" | "notice" | "dismiss">;

export function OutcomeNotice({ outcome, notice, dismiss }: OutcomeNoticeProps) {
  return (
    <div ref={notice} tabIndex={-1} className="empty:hidden">
      {outcome && (
        <div className="my-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-2 border-ink p-4">
          {"problem" in outcome ? (
            <p role="alert" className="font-medium wrap-anywhere text-danger">
              {outcome.problem}
            </p>
          ) : (
            <DoneText done={outcome} />
          )}
          <Button onClick={dismiss}>Dismiss</Button>
        </div>
      )}
    </div>
  );
}

function DoneText({ done: { text, note, link, removed } }: { done: Done }) {
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
