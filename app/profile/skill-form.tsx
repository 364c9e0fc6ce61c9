import type { FormEvent, ReactNode } from "react";
import { fieldAttributes } from "../../common/data/columns.ts";
import type { SkillFields } from "../../common/data/profile.ts";
import { SKILL_COLUMNS } from "../../common/data/profile-columns.ts";
import { Select, TextField } from "../ui/field.tsx";
import { useSending } from "../ui/use-sending.ts";

export const NEW_SKILL: SkillFields = { category: "python", name: "", proficiency: 3, years_experience: 1 };

const attributes = {
  category: fieldAttributes(SKILL_COLUMNS.category),
  name: fieldAttributes(SKILL_COLUMNS.name),
  proficiency: fieldAttributes(SKILL_COLUMNS.proficiency),
  years_experience: fieldAttributes(SKILL_COLUMNS.years_experience),
};

interface SkillFormProps {
  legend: string;
  skill: SkillFields;
  store(skill: SkillFields): Promise<void>;
  onStored(): void;
  /** Whether members may add several skills in a row. If so, the focus returns to the name field after each skill. */
  isRepeated?: boolean;
  children: ReactNode;
}

export function SkillForm({ legend, skill, store, onStored, isRepeated, children }: SkillFormProps) {
  const { isSending, send } = useSending();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    // Read the fields before sending, which disables them: `FormData` omits disabled fields.
    const typed = typedSkill(new FormData(form));
    // Focus the name field first: after sending, `send` restores the focus to the element that has it now.
    const name = form.elements.namedItem("name");
    if (isRepeated && name instanceof HTMLElement) name.focus();
    void send(async () => {
      await store(typed);
      form.reset();
      onStored();
    });
  }

  return (
    <form onSubmit={submit} aria-busy={isSending}>
      <fieldset disabled={isSending} className="grid min-w-0 grid-cols-2 gap-x-4 gap-y-3">
        <legend className="sr-only">{legend}</legend>
        <Select label="Category" name="category" defaultValue={skill.category} {...attributes.category} />
        <TextField
          label="Skill Name"
          name="name"
          autoComplete="off"
          defaultValue={skill.name}
          {...attributes.name}
        />
        <TextField
          label="Proficiency (1-5)"
          name="proficiency"
          defaultValue={skill.proficiency}
          {...attributes.proficiency}
        />
        <TextField
          label="Years of Experience"
          name="years_experience"
          defaultValue={skill.years_experience}
          {...attributes.years_experience}
        />
        <div className="col-span-2 mt-1 flex gap-3">{children}</div>
      </fieldset>
    </form>
  );
}

function typedSkill(form: FormData): SkillFields {
  const field = (name: keyof SkillFields) => String(form.get(name));
  return {
    category: field("category"),
    name: field("name"),
    proficiency: Number.parseInt(field("proficiency"), 10),
    years_experience: Number.parseInt(field("years_experience"), 10),
  };
}
