import { Button } from "../ui/button.tsx";
import { focusOnMount } from "./focus-on-mount.ts";
import { LongList } from "./long-list.tsx";
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
      {failed.length > 0 && (
        <section aria-label="Not imported">
          <p className="font-semibold">Not imported ({failed.length})</p>
          <LongList items={failed} className="mt-1 space-y-1 text-danger">
            {({ line: { step }, message }) => (
              <>
                <bdi>{step.kind === "item" ? step.item.fields.title : step.kind}</bdi>: {message}
              </>
            )}
          </LongList>
        </section>
      )}
      <Button onClick={onClose}>Done</Button>
    </div>
  );
}
