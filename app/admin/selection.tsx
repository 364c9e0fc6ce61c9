import { type ReactNode, useState } from "react";
import { announce } from "../ui/announce.tsx";
import { Checkbox } from "../ui/field.tsx";

/** The subject of the bar with the actions for all selected rows. */
export const SELECTION = "selection";

/** Which of a list's rows are selected. Rows that the list no longer shows are not. */
export function useSelection<Row>(rows: readonly Row[], keyOf: (row: Row) => string) {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const selected = rows.filter((row) => keys.has(keyOf(row)));
  return {
    selected,
    count: rows.length,
    has: (row: Row) => keys.has(keyOf(row)),
    toggle(row: Row) {
      const next = new Set(keys);
      if (!next.delete(keyOf(row))) next.add(keyOf(row));
      setKeys(next);
    },
    selectAll(isSelected: boolean) {
      setKeys(new Set(isSelected ? rows.map(keyOf) : []));
      announce(`${isSelected ? rows.length : 0} selected`);
    },
    /** Whether nothing stays selected if `leaveOut` removes these rows. */
    leavesNone: (done: readonly string[]) => selected.every((row) => done.includes(keyOf(row))),
    /** Removes rows from the selection, such as those that an action has changed. */
    leaveOut(done: readonly string[]) {
      setKeys((known) => new Set([...known].filter((key) => !done.includes(key))));
    },
  };
}

type Selection = Pick<ReturnType<typeof useSelection<unknown>>, "selectAll" | "count"> & {
  selected: readonly unknown[];
};

export function SelectAll({ selection: { selected, count, selectAll } }: { selection: Selection }) {
  if (count === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-4">
      <Checkbox
        label="Select all"
        checked={selected.length === count}
        onChange={({ currentTarget }) => selectAll(currentTarget.checked)}
      />
      <span className="font-mono text-sm text-muted">
        {selected.length > 0 && `${selected.length} of ${count} selected`}
      </span>
    </div>
  );
}

/**
 * The actions for all selected rows. At the bottom of the window, so that its appearance moves no row while the operator
 * selects.
 */
export function SelectionBar({ selection, children }: { selection: Selection; children: ReactNode }) {
  const { selected, selectAll } = selection;
  if (selected.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div
      role="group"
      data-subject={SELECTION}
      aria-label={`Actions for ${selected.length} selected`}
      className="sticky bottom-0 z-10 mt-4 flex flex-wrap items-center gap-2 border-2 border-ink bg-paper p-2"
    >
      <span className="px-2 font-mono text-sm text-muted">{`${selected.length} selected`}</span>
      {children}
      <button
        type="button"
        aria-label="Clear Selection"
        className="min-h-11 px-3 underline underline-offset-4"
        onClick={() => selectAll(false)}
      >
        Clear
      </button>
    </div>
  );
}

/** A row's checkbox, named after the row. */
export function RowCheckbox({
  label,
  isChecked,
  onToggle,
}: {
  label: string;
  isChecked: boolean;
  onToggle(): void;
}) {
  return (
    <label className="-ms-3 grid size-11 place-items-center">
      <input
        type="checkbox"
        className="size-5 scroll-mb-40 accent-ink"
        aria-label={label}
        checked={isChecked}
        onChange={onToggle}
      />
    </label>
  );
}
