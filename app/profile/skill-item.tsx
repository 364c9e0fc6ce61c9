import { useRef } from "react";
import { years } from "../../common/data/experience.ts";
import type { SkillFields } from "../../common/data/profile.ts";
import type { Skill } from "../../common/data/schema.ts";
import { SKILL_CATEGORIES } from "../../common/data/vocabulary.ts";
import { DELETIONS } from "../history/deletion.ts";
import { useOperation } from "../operation/use-operation.ts";
import { announce } from "../ui/announce.tsx";
import { Button, IconButton, ignoreDoubleClick } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { focusHeading, mayMoveFocus } from "../ui/focus.ts";
import { DeleteIcon, EditIcon } from "../ui/icons.tsx";
import { Level, LevelBar } from "../ui/proficiency.tsx";
import { useExchange } from "../ui/use-exchange.ts";
import { SkillForm, UNNAMED_SKILL } from "./skill-form.tsx";

interface SkillItemProps {
  skill: Skill;
  onSave(skill: SkillFields): Promise<void>;
  onTyped(change: number): void;
  /** Resolves to true if a notice about the deletion takes the focus. */
  onDelete(): Promise<boolean>;
}

export function SkillItem({ skill, onSave, onTyped, onDelete }: SkillItemProps) {
  const item = useRef<HTMLLIElement>(null);
  const name = skill.name.trim() || UNNAMED_SKILL;
  const { shows, goes, exchange } = useExchange<"skill" | "form">("skill");
  const isEditing = shows("form");
  const { isPending: isDeleting, run } = useOperation(`skills/${skill.id}`);

  const show = (part: "skill" | "form") =>
    exchange(
      part,
      () => {
        const target = item.current?.querySelector<HTMLElement>(part === "form" ? "[name=name]" : ".edit");
        if (mayMoveFocus(item.current)) target?.focus();
      },
      part === "form",
    );

  const remove = () =>
    run(async () => {
      const row = item.current;
      const section = row?.closest("section");
      const isNoticed = await onDelete();
      if (!isNoticed && mayMoveFocus(row)) focusHeading(section?.querySelector("h2"));
    }, DELETIONS);

  return (
    <li
      ref={item}
      id={skill.id}
      className={`border-b border-rule last:border-b-0 ${isEditing ? "-mx-3 bg-sunken px-3 py-4" : "py-2.5"}`}
    >
      {isEditing && (
        <SkillForm
          legend={name}
          skill={skill}
          store={onSave}
          onTyped={onTyped}
          onStored={(saved) => {
            show("skill");
            // After the focus has moved, because Orca drops earlier announcements then.
            announce(`Saved ${saved.name.trim() || UNNAMED_SKILL}`);
          }}
        >
          <Button type="submit" variant="primary">
            Save
          </Button>
          <Button onClick={() => show("skill")}>Cancel</Button>
        </SkillForm>
      )}
      {shows("skill") && (
        // Out of the flow while it goes, so that nothing below moves twice.
        <div
          className={`flex items-center gap-3 ${goes("skill") ? "pointer-events-none absolute opacity-0" : ""}`}
        >
          <div className="min-w-0 flex-1">
            <p className="font-medium">{name}</p>
            <p className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted tabular-nums">
              <Chip category={skill.category}>{SKILL_CATEGORIES[skill.category]}</Chip>
              <span className="inline-flex items-center gap-1.5">
                <LevelBar level={skill.proficiency} />
                <Level level={skill.proficiency} />
              </span>
              <span>{years(skill.years_experience)}</span>
            </p>
          </div>
          <div className="-me-2 flex shrink-0 gap-6 sm:gap-0">
            <IconButton className="edit" label={`Edit ${name}`} onClick={() => show("form")}>
              <EditIcon />
            </IconButton>
            <IconButton
              label={`Delete ${name}`}
              aria-disabled={isDeleting}
              onClick={ignoreDoubleClick(remove)}
            >
              <DeleteIcon />
            </IconButton>
          </div>
        </div>
      )}
    </li>
  );
}
