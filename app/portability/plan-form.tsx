import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "../ui/button.tsx";
import { focusOnMount } from "./focus-on-mount.ts";
import type { Plan, PlanLine, Step } from "./import-plan.ts";
import { LongList } from "./long-list.tsx";

const ITEM_KINDS = { articles: "Article", useful_links: "Link", code_samples: "Code sample" };

export function PlanForm({
  plan,
  onImport,
  onCancel,
}: {
  plan: Plan;
  onImport(lines: PlanLine[]): void;
  onCancel(): void;
}) {
  const { lines, leftOut } = plan;
  const [ticked, setTicked] = useState(
    () => new Set(lines.filter(({ isTickedAtFirst }) => isTickedAtFirst).map(({ key }) => key)),
  );
  const created = lines.filter(({ step }) => step.kind === "item" && step.isNew);
  const updated = lines.filter(({ step }) => step.kind === "item" && !step.isNew);
  const replaced = lines.filter(({ step }) => step.kind !== "item");

  function tick(keys: string[], isTicked: boolean) {
    setTicked((now) => {
      const next = new Set(now);
      for (const key of keys) isTicked ? next.add(key) : next.delete(key);
      return next;
    });
  }

  const isEach = (of: PlanLine[]) => of.every(({ key }) => ticked.has(key));

  function submit(event: FormEvent) {
    event.preventDefault();
    onImport(lines.filter(({ key }) => ticked.has(key)));
  }

  const group = (title: string, of: PlanLine[]) =>
    of.length > 0 && (
      <fieldset>
        <legend className="float-start font-semibold">{`${title} (${of.length})`}</legend>
        {of.length > 1 && (
          <Button
            look="plain"
            className="float-end -my-2.5 -me-3"
            onClick={() =>
              tick(
                of.map(({ key }) => key),
                !isEach(of),
              )
            }
          >
            {isEach(of) ? "Untick all" : "Tick all"}
          </Button>
        )}
        <LongList items={of} className="clear-both pt-1">
          {({ key, step, notes }) => (
            <Line
              isTicked={ticked.has(key)}
              onTick={(isTicked) => tick([key], isTicked)}
              title={titleOf(step)}
              detail={[...detailsOf(step), ...notes].join(" · ")}
            />
          )}
        </LongList>
      </fieldset>
    );

  return (
    <form onSubmit={submit} className="space-y-6 text-sm">
      <p ref={focusOnMount} tabIndex={-1} className="font-medium outline-none">
        {lines.length === 0
          ? "There is nothing to import."
          : `Found ${created.length} to create and ${updated.length} to update. Nothing is imported yet.`}
      </p>
      {group("Create", created)}
      {group("Update", updated)}
      {group("Replace", replaced)}
      {leftOut.length > 0 && (
        <section aria-label="Left out">
          <p className="font-semibold">Left out ({leftOut.length})</p>
          <LongList items={leftOut} className="mt-1 space-y-1 text-muted">
            {({ source, reason }) => (
              <>
                <bdi className="text-ink">{source}</bdi> {reason}
              </>
            )}
          </LongList>
        </section>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" look="primary" disabled={ticked.size === 0}>
          Import {ticked.size} Items
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
}

function Line({
  isTicked,
  onTick,
  title,
  detail,
}: {
  isTicked: boolean;
  onTick(isTicked: boolean): void;
  title: ReactNode;
  detail: string;
}) {
  return (
    <label className="flex min-h-11 gap-2.5 py-1.5">
      <input
        type="checkbox"
        className="mt-0.5 size-5 shrink-0 accent-ink"
        checked={isTicked}
        onChange={({ target }) => onTick(target.checked)}
      />
      <span className="min-w-0">
        <bdi className="block font-medium">{title}</bdi>
        <span className="block text-muted">{detail}</span>
      </span>
    </label>
  );
}

function titleOf(step: Step): string {
  if (step.kind === "item") return step.item.fields.title;
  return step.kind === "profile" ? "Profile" : `Skills (${step.skills.length})`;
}

function detailsOf(step: Step): string[] {
  if (step.kind === "profile") return ["replaces your profile"];
  if (step.kind === "skills") return [`replaces your skills (${step.replaced})`];
  const { table, fields, source } = step.item;
  const isDraft = table === "articles" && "published" in fields && !fields.published;
  return [ITEM_KINDS[table], ...(isDraft ? ["not published"] : []), source];
}
