import { type FormEvent, memo, useMemo, useRef, useState } from "react";
import type { Plan, PlanLine } from "../import/index.ts";
import { Button } from "../ui/button.tsx";
import { LocalDate } from "../ui/local-date.tsx";
import { LeftOutList } from "./left-out-list.tsx";

/** Classes that let the browser skip the layout of lines outside the viewport: there may be ten thousand lines. */
const LINE = "[content-visibility:auto] [contain-intrinsic-size:auto_3.5rem]";

interface PlanFormProps {
  plan: Plan;
  summary: string;
  onImport(lines: PlanLine[]): void;
  onCancel(): void;
}

export function PlanForm({ plan: { lines, leftOut }, summary, onImport, onCancel }: PlanFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [ticked, setTicked] = useState(() => lines.filter((line) => line.isInitiallyTicked).length);
  const groups = useMemo(() => Object.groupBy(newestFirst(lines), ({ group }) => group), [lines]);
  const { Create: created = [], Update: updated = [], Replace: replaced = [] } = groups;

  const count = () => setTicked(form.current?.querySelectorAll("input:checked").length ?? 0);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const keys = new Set(new FormData(event.currentTarget).getAll("line"));
    onImport(lines.filter(({ key }) => keys.has(key)));
  }

  return (
    <form ref={form} onSubmit={submit} className="space-y-6 text-sm">
      <p className="font-medium">{summary}</p>
      <Group title="Create" lines={created} onTick={count} />
      <Group title="Update" lines={updated} onTick={count} />
      <Group title="Replace" lines={replaced} onTick={count} />
      <LeftOutList title="Left out" leftOut={leftOut} />
      <div className="sticky bottom-0 flex flex-wrap gap-3 border-t-2 border-ink bg-paper py-3">
        <Button type="submit" variant="primary" disabled={ticked === 0}>
          {`Import ${ticked} Items`}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
}

/** Lines that aren't about an item come last. */
function newestFirst(lines: PlanLine[]): PlanLine[] {
  const timeOf = ({ createdAt }: PlanLine) => (createdAt ? Date.parse(createdAt) : Number.NEGATIVE_INFINITY);
  return lines.toSorted((one, other) => timeOf(other) - timeOf(one) || 0);
}

function Group({ title, lines, onTick }: { title: string; lines: PlanLine[]; onTick(): void }) {
  const group = useRef<HTMLFieldSetElement>(null);
  const [areAllTicked, setAreAllTicked] = useState(() => lines.every((line) => line.isInitiallyTicked));

  function updateTicked() {
    setAreAllTicked(!group.current?.querySelector("input:not(:checked)"));
    onTick();
  }

  function tickAll() {
    for (const box of group.current?.querySelectorAll("input") ?? []) box.checked = !areAllTicked;
    updateTicked();
  }

  if (lines.length === 0) return null;
  return (
    <fieldset ref={group} onChange={updateTicked}>
      <legend className="float-start font-semibold">{`${title} (${lines.length})`}</legend>
      {lines.length > 1 && (
        <Button variant="plain" className="float-end -my-2.5 -me-3" onClick={tickAll}>
          {areAllTicked ? "Untick all" : "Tick all"}
        </Button>
      )}
      <LineList lines={lines} />
    </fieldset>
  );
}

/** Memoised and with uncontrolled checkboxes, so that ticking one does not render all lines again. */
const LineList = memo(({ lines }: { lines: PlanLine[] }) => (
  <ul className="clear-both pt-1">
    {lines.map(({ key, title, createdAt, details, isInitiallyTicked }) => (
      <li key={key} className={LINE}>
        <label className="flex min-h-11 gap-2.5 py-1.5">
          <input
            type="checkbox"
            name="line"
            value={key}
            defaultChecked={isInitiallyTicked}
            // The buttons are over the lower end of the window.
            className="mt-0.5 size-5 shrink-0 scroll-mb-40 accent-ink"
          />
          <span className="min-w-0">
            <bdi className="line-clamp-3 font-medium">{title}</bdi>
            <span className="block text-muted">
              {createdAt && <LocalDate time={createdAt} />}
              {createdAt && " · "}
              {details.join(" · ")}
            </span>
          </span>
        </label>
      </li>
    ))}
  </ul>
));
