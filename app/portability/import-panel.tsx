import { useEffect, useLayoutEffect, useRef, useState } from "react";
import {
  type ImportResult,
  type ImportSite,
  type Plan,
  type PlanLine,
  planImport,
  runImport,
} from "../import/index.ts";
import { fitInWorker } from "../pictures/fit-in-worker.ts";
import { listPictures, storePicture } from "../pictures/stored-pictures.ts";
import { UnsavedChanges } from "../router/unsaved-changes.tsx";
import { memberData } from "../session/member-data.ts";
import { announce } from "../ui/announce.tsx";
import { Button } from "../ui/button.tsx";
import { focusResults, mayMoveFocus } from "../ui/focus.ts";
import { ProgressBar } from "../ui/progress-bar.tsx";
import { TryAgain } from "../ui/try-again.tsx";
import { LeftOutList } from "./left-out-list.tsx";
import { PlanForm } from "./plan-form.tsx";

type ImportState =
  | { phase: "reading" }
  | { phase: "planned"; plan: Plan }
  | { phase: "importing"; done: number; total: number }
  | { phase: "done"; outcome: ImportResult; total: number; hasItems: boolean }
  | { phase: "failed"; isReading: boolean };

/** By then, the window has the focus again. Orca says nothing about an announcement that arrives with it. */
const AFTER_FILE_DIALOG_MS = 2_000;

const FAILED: ImportState = { phase: "failed", isReading: false };

interface ImportPanelProps {
  files: File[];
  userId: string;
  /** @param replaced whether the profile or the skills were replaced */
  onImported(replaced: boolean): void;
  onRunning(isRunning: boolean): void;
  onClose(): void;
}

/**
 * Reads the files immediately, and stores the ticked items when the member starts the import. Unmounting stops a running
 * import.
 */
export default function ImportPanel({ files, userId, onImported, onRunning, onClose }: ImportPanelProps) {
  const [state, setState] = useState<ImportState>({ phase: "reading" });
  const [attempt, setAttempt] = useState(1);
  const running = useRef(new AbortController());
  const panel = useRef<HTMLDivElement>(null);
  const { phase } = state;
  const summary = summaryOf(state);

  // The focused control of the phase before has gone.
  useLayoutEffect(() => {
    if (phase !== "reading" && mayMoveFocus(panel.current?.closest("section")))
      focusResults(panel.current, panel.current?.querySelector("p"));
  }, [phase]);
  const announcement = announcementOf(state);
  useEffect(() => {
    if (!announcement) return;
    const timer = setTimeout(announce, phase === "planned" ? AFTER_FILE_DIALOG_MS : 0, announcement);
    return () => clearTimeout(timer);
  }, [phase, announcement]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt reads the files again
  useEffect(() => {
    const controller = new AbortController();
    running.current = controller;
    openSite(userId, controller.signal)
      .then((site) => planImport(files, site))
      .then(
        (plan) => setState({ phase: "planned", plan }),
        () => setState(FAILED),
      );
    return () => controller.abort();
  }, [files, userId, attempt]);

  async function run(lines: PlanLine[]) {
    const { signal } = running.current;
    const total = lines.length;
    const showProgress = (done: number) => setState({ phase: "importing", done, total });
    showProgress(0);
    const site = await openSite(userId, signal);
    const outcome = await runImport(site, { lines, signal, onStored: showProgress });
    const hasItems = outcome.imported > 0 && lines.some(({ createdAt }) => createdAt !== null);
    setState({ phase: "done", outcome, total, hasItems });
    onImported(lines.some(({ group }) => group === "Replace"));
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div ref={panel} role="group" aria-label="Import" tabIndex={-1} className="outline-none">
      {content()}
    </div>
  );

  function content() {
    switch (state.phase) {
      case "reading":
        return (
          <div className="space-y-3 text-sm">
            <p>Reading your files and comparing them with your content on this site…</p>
            <ProgressBar aria-label="Reading" />
          </div>
        );
      case "planned":
        return (
          <PlanForm
            plan={state.plan}
            summary={summary}
            onImport={(lines) => {
              onRunning(true);
              void run(lines)
                .catch(() => setState(FAILED))
                .finally(() => onRunning(false));
            }}
            onCancel={onClose}
          />
        );
      case "importing":
        return (
          <div className="space-y-3 text-sm">
            <p>{`Importing ${state.done} of ${state.total}… Please keep this page open.`}</p>
            <ProgressBar aria-label="Import" value={state.done} max={state.total} />
            <Button onClick={() => running.current.abort()}>Stop</Button>
            <UnsavedChanges
              isDirty
              onLeave={() => running.current.abort()}
              title="Import in Progress"
              text="Are you sure you want to leave this page? The import stops, and the remaining items are not imported."
            />
          </div>
        );
      case "done": {
        const { failed } = state.outcome;
        return (
          <div className="space-y-4 text-sm">
            <p className="font-medium">{summary}</p>
            <LeftOutList title="Not imported" leftOut={failed} />
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
              {state.hasItems && (
                <a href="#items" className="inline-flex min-h-11 items-center underline underline-offset-4">
                  Show in Your Items
                </a>
              )}
              <Button onClick={onClose}>Done</Button>
            </div>
          </div>
        );
      }
      case "failed":
        return (
          <TryAgain
            text="The server is not responding, and nothing was imported."
            isReading={state.isReading}
            onRetry={() => {
              setState({ phase: "failed", isReading: true });
              setAttempt(attempt + 1);
            }}
          />
        );
    }
  }
}

/** The result of the phase, in words, for the phases that have one. */
function summaryOf(state: ImportState): string {
  if (state.phase === "planned") {
    const { lines } = state.plan;
    if (lines.length === 0) return "There is nothing to import.";
    const count = (group: PlanLine["group"]) => lines.filter((line) => line.group === group).length;
    return `Found ${count("Create")} to create and ${count("Update")} to update. Nothing has been imported yet.`;
  }
  if (state.phase !== "done") return "";
  const { imported, stopped } = state.outcome;
  const result =
    imported === state.total
      ? `Imported ${imported} ${imported === 1 ? "item" : "items"}.`
      : `Imported ${imported} of ${state.total} items.`;
  return stopped ? `${result} ${stopped} Choose the same files again to import the rest.` : result;
}

/** Shorter than the summary, which screen readers read next. */
function announcementOf(state: ImportState): string {
  if (state.phase === "planned") {
    const isNew = (line: PlanLine) => line.group === "Create";
    const { lines } = state.plan;
    if (lines.length === 0) return "No items to import";
    return `Ready to import: ${lines.filter(isNew).length} new, ${lines.filter((line) => !isNew(line)).length} changed`;
  }
  if (state.phase !== "done") return "";
  const { imported, stopped } = state.outcome;
  return `Import ${stopped ? "stopped" : "finished"}: ${imported} of ${state.total}`;
}

async function openSite(userId: string, signal: AbortSignal): Promise<ImportSite> {
  return {
    userId,
    data: await memberData(),
    pictures: {
      fit: (file) => fitInWorker(file, "text", signal),
      list: async () => (await listPictures(userId)).map(({ path }) => path),
      store: storePicture,
    },
  };
}
