import { useEffect } from "react";
import { Button } from "../ui/button.tsx";
import { focusOnMount } from "./focus-on-mount.ts";
import { ImportResult } from "./import-result.tsx";
import { PlanForm } from "./plan-form.tsx";
import { useImport } from "./use-import.ts";

export function ImportPanel({
  files,
  userId,
  onProfileReplaced,
  onClose,
}: {
  files: File[];
  userId: string;
  onProfileReplaced(): void;
  onClose(): void;
}) {
  const { state, start, stop } = useImport(files, userId);
  const isProfileReplaced = state.phase === "done" && state.lines.some(({ step }) => step.kind !== "item");
  useEffect(() => {
    if (isProfileReplaced) onProfileReplaced();
  }, [isProfileReplaced, onProfileReplaced]);

  switch (state.phase) {
    case "reading":
      return (
        <div className="space-y-3 text-sm">
          <p>{state.text}</p>
          <progress aria-label="Reading" className="h-2.5 w-full accent-ink" />
        </div>
      );
    case "planned":
      return <PlanForm plan={state.plan} onImport={start} onCancel={onClose} />;
    case "importing":
      return (
        <div className="space-y-3 text-sm">
          <p ref={focusOnMount} tabIndex={-1} className="outline-none">
            Importing {state.done} of {state.total}… Please keep this page open.
          </p>
          <progress
            aria-label="Import"
            value={state.done}
            max={state.total}
            className="h-2.5 w-full accent-ink"
          />
          <Button onClick={stop}>Stop</Button>
        </div>
      );
    case "done":
      return <ImportResult outcome={state.outcome} total={state.lines.length} onClose={onClose} />;
    case "failed":
      return (
        <p role="alert" className="text-sm font-medium text-danger">
          The service does not answer. Nothing was imported: please choose the files again in a moment.
        </p>
      );
  }
}
