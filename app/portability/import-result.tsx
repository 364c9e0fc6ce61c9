import { Button } from "../ui/button.tsx";
import { focusOnMount } from "./focus-on-mount.ts";
import { REMARK } from "./plan-form.tsx";
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
          <ul className="mt-1 text-danger">
            {failed.map(({ line: { key, title }, message }) => (
              <li key={key} className={REMARK}>
                <bdi>{title}</bdi>: {message}
              </li>
            ))}
          </ul>
        </section>
      )}
      <Button onClick={onClose}>Done</Button>
    </div>
  );
}
