import type { SkillFields } from "../data/profile.ts";
import type { SkillCategory } from "../data/schema.ts";
import { SKILL_CATEGORIES } from "../data/vocabulary.ts";
import { Select, TextField } from "../ui/field.tsx";

export interface SkillDraft {
  category: SkillCategory;
  name: string;
  proficiency: string;
  years_experience: string;
}

export const NEW_SKILL: SkillDraft = {
  category: "python",
  name: "",
  proficiency: "3",
  years_experience: "1",
};

export function toDraft({ category, name, proficiency, years_experience }: SkillFields): SkillDraft {
  return { category, name, proficiency: String(proficiency), years_experience: String(years_experience) };
}

export function toSkill({ category, name, proficiency, years_experience }: SkillDraft): SkillFields {
  return {
    category,
    name,
    proficiency: Number.parseInt(proficiency, 10),
    years_experience: Number.parseInt(years_experience, 10),
  };
}

export function SkillFieldset({
  draft,
  onChange,
}: {
  draft: SkillDraft;
  onChange(change: Partial<SkillDraft>): void;
}) {
  return (
    <>
      <Select
        label="Category"
        value={draft.category}
        onChange={({ target }) => onChange({ category: target.value as SkillCategory })}
      >
        {Object.entries(SKILL_CATEGORIES).map(([category, label]) => (
          <option key={category} value={category}>
            {label}
          </option>
        ))}
      </Select>
      <TextField
        label="Skill Name"
        value={draft.name}
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <TextField
        label="Proficiency (1-5)"
        type="number"
        min={1}
        max={5}
        required
        value={draft.proficiency}
        onChange={({ target }) => onChange({ proficiency: target.value })}
      />
      <TextField
        label="Years of Experience"
        type="number"
        min={0}
        required
        value={draft.years_experience}
        onChange={({ target }) => onChange({ years_experience: target.value })}
      />
    </>
  );
}
