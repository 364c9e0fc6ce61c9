import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { ActionResult } from "../../common/data/operators.ts";
import { operations } from "../operation/operations.ts";
import { announce } from "../ui/announce.tsx";
import { Button, ignoreDoubleClick } from "../ui/button.tsx";
import { focusHeading, focusResults, mayMoveFocus } from "../ui/focus.ts";
import { AdminError, errorMessage } from "./admin-api.ts";

export interface Job {
  /** The changed thing, such as `members/7`. */
  subject: string;
  /** The member's email address or the item's title. */
  name: string;
  act(): Promise<ActionResult>;
}

interface Outcome {
  subject: string;
  name: string;
  result: ActionResult | { problem: string };
}

interface Ended {
  number: number;
  /** The action, such as "Suspend". */
  label: string;
  outcomes: Outcome[];
  /** The number of jobs. A cancelled sign-in leaves the last ones without an outcome. */
  count: number;
  /** Null if the action can't be undone, or has changed nothing. */
  undo: (() => void) | null;
}

export interface RowStatus {
  text: string;
  isProblem: boolean;
}

/** Runs a region's actions, beside each other or, for the same subject, one after the other. Keeps what happened. */
export function useOutcomes() {
  const [pending, setPending] = useState<{ number: number; label: string; jobs: readonly Job[] }[]>([]);
  const [ended, setEnded] = useState<Ended[]>([]);
  const notice = useRef<HTMLDivElement>(null);
  const count = useRef(0);
  const isRunning = (label: string, subject: string) =>
    pending.some((each) => each.label === label && each.jobs.some((job) => job.subject === subject));

  /**
   * Runs an action on one or several subjects, one after the other, so that the last operator is recognized. Resolves to
   * the subjects that it has changed, and to those that it couldn't change, which may be gone. `onDone` runs after each
   * change. With `undo`, the notice has a button that calls it with the changed ones.
   */
  async function run(
    label: string,
    allJobs: readonly Job[],
    onDone: (subject: string) => Promise<void>,
    undo?: (changed: string[]) => void,
  ) {
    // A second press of a pending action starts nothing.
    const jobs = allJobs.filter(({ subject }) => !isRunning(label, subject));
    if (jobs.length === 0) return { changed: [], failed: [] };
    const number = ++count.current;
    // An action that ended while another one is pending may have been missed.
    if (pending.length === 0) setEnded([]);
    setPending((known) => [...known, { number, label, jobs }]);
    const outcomes: Outcome[] = [];
    const changed: string[] = [];
    for (const [index, { subject, name, act }] of jobs.entries()) {
      const result = await operations.run({ owner: {}, subjects: [subject] }, act);
      if (result.is === "superseded") continue;
      if (result.is === "failed" && isCancelled(result.error)) break;
      const value = result.is === "done" ? result.value : { problem: errorMessage(result.error) };
      outcomes.push({ subject, name, result: value });
      const left = jobs.slice(index + 1);
      setPending((known) => known.map((each) => (each.number === number ? { ...each, jobs: left } : each)));
      if (result.is !== "done") continue;
      changed.push(subject);
      if (jobs.length > 1) await onDone(subject);
    }
    setPending((known) => known.filter((each) => each.number !== number));
    if (outcomes.length > 0) {
      const end: Ended = { number, label, outcomes, count: jobs.length, undo: null };
      const undoable = outcomes.flatMap(({ subject, result }) =>
        "problem" in result || result.isUnchanged ? [] : [subject],
      );
      if (undo && undoable.length > 0) end.undo = () => undo(undoable);
      flushSync(() => setEnded((known) => [...known, end]));
      announce(jobs.length > 1 ? summaryOf(label, outcomes, jobs.length) : outcomes.map(textOf).join(" "));
    }
    if (jobs.length === 1) for (const subject of changed) await onDone(subject);
    const failed = outcomes.flatMap(({ subject }) => (changed.includes(subject) ? [] : [subject]));
    return { changed, failed };
  }

  return {
    pending,
    ended,
    notice,
    run,
    dismiss(number: number) {
      // The focused button disappears, and an empty notice can't have the focus.
      if (ended.length > 1) focusResults(notice.current);
      else focusHeading(notice.current?.closest("section")?.querySelector("h2"));
      setEnded((known) => known.filter((each) => each.number !== number));
    },
    /** Moves the focus to the notice if what had it has just disappeared. */
    receiveFocus() {
      if (mayMoveFocus()) focusResults(notice.current);
    },
    /**
     * Call this before a row is removed. If it has the focus, moves the focus to the notice: afterwards, screen readers
     * would go on at the start of the page.
     */
    leaveRow(subject: string) {
      const section = notice.current?.closest("section");
      const row = section?.querySelector(`[data-subject="${CSS.escape(subject)}"]`);
      if (row && mayMoveFocus(row)) focusResults(notice.current);
    },
    /** A row's pending action, or why the last one failed. */
    statusOf(subject: string): RowStatus | null {
      for (const { label, jobs } of pending) {
        const job = jobs.find((each) => each.subject === subject);
        if (job) return { text: `${label}: ${job.name}…`, isProblem: false };
      }
      for (const { label, outcomes } of ended) {
        const outcome = outcomes.find((each) => each.subject === subject);
        if (outcome && "problem" in outcome.result)
          return { text: `${label} failed: ${outcome.result.problem}`, isProblem: true };
      }
      return null;
    },
  };
}

const isCancelled = (error: unknown) => error instanceof AdminError && error.code === "cancelled";

function textOf({ result }: Outcome): string {
  return "problem" in result ? result.problem : [result.text, result.note].filter(Boolean).join(" ");
}

function summaryOf(label: string, outcomes: readonly Outcome[], count: number): string {
  const failed = outcomes.filter(({ result }) => "problem" in result).length;
  return `${label}: ${outcomes.length - failed} of ${count} done.${failed > 0 ? ` ${failed} failed.` : ""}`;
}

export function RowStatusText({ status }: { status: RowStatus | null }) {
  return (
    status && (
      <p className={`text-sm wrap-anywhere ${status.isProblem ? "font-medium text-danger" : "text-muted"}`}>
        {status.text}
      </p>
    )
  );
}

type OutcomeNoticesProps = Pick<ReturnType<typeof useOutcomes>, "pending" | "ended" | "notice" | "dismiss">;

export function OutcomeNotices({ pending, ended, notice, dismiss }: OutcomeNoticesProps) {
  const several = pending.filter(({ jobs }) => jobs.length > 1);
  return (
    // With a name, because Orca otherwise doesn't know where the reader is.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div ref={notice} tabIndex={-1} role="group" aria-label="Results" className="outline-none empty:hidden">
      {ended.map(({ number, label, outcomes, count, undo }) => (
        <div
          key={number}
          className="my-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-2 border-ink p-4"
        >
          {count > 1 ? (
            <div className="min-w-0 grow basis-64">
              <p className="font-medium">{summaryOf(label, outcomes, count)}</p>
              <ul
                aria-label={`Results of ${label}`}
                className="mt-2 max-h-80 space-y-2 overflow-y-auto text-sm"
                // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
                tabIndex={0}
              >
                {outcomes.map(({ subject, name, result }) => (
                  <li key={subject}>
                    {"problem" in result ? (
                      <p className="font-medium wrap-anywhere text-danger">{`${name}: ${result.problem}`}</p>
                    ) : (
                      <DoneText done={result} />
                    )}
                  </li>
                ))}
              </ul>
            </div>
          ) : (
            outcomes.map(({ subject, result }) =>
              "problem" in result ? (
                // `announce` passes the text to screen readers, after the dialog has returned the focus.
                <p
                  key={subject}
                  role="alert"
                  aria-live="off"
                  className="font-medium wrap-anywhere text-danger"
                >
                  {result.problem}
                </p>
              ) : (
                <DoneText key={subject} done={result} />
              ),
            )
          )}
          <div className="flex gap-2">
            {undo && (
              <Button
                onClick={ignoreDoubleClick(() => {
                  dismiss(number);
                  undo();
                })}
              >
                Undo
              </Button>
            )}
            <Button onClick={() => dismiss(number)}>Dismiss</Button>
          </div>
        </div>
      ))}
      {several.map(({ number, label, jobs }) => (
        <p key={number} className="my-4 wrap-anywhere text-muted">
          {`${label}: ${jobs.length} left…`}
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
