import { Button } from "../ui/button.tsx";
import { focusOnMount } from "./focus-on-mount.ts";
import { LeftOutList } from "./left-out-list.tsx";
import type { Outcome } from "./run-import.ts";

export function ImportResult({
  outcome: { imported, failed, stopped },
  total,
  onClose,
}: {
  outcome: Outcome;
  total: number;
  onClose(): void;
}) {
  return (
    <div className="space-y-4 text-sm">
      <p ref={focusOnMount} tabIndex={-1} className="font-medium outline-none">
        {imported === total ? `Imported ${imported} items.` : `Imported ${imported} of ${total} items.`}
        {stopped && ` ${stopped} Choose the same files again to import the rest.`}
      </p>
      <LeftOutList title="Not imported" leftOut={failed} />
      <Button onClick={onClose}>Done</Button>
    </div>
  );
}
