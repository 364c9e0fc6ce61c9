import { Chip } from "./chip.tsx";

interface ShownSkill {
  category: string;
  name: string;
  proficiency: number;
  note?: string;
}

/** For screen readers, who have no colour. */
const CATEGORY_NAMES: Record<string, string> = {
  python: "Python",
  sql: "SQL",
  aws: "AWS",
  tools: "Tools & Others",
};

export function SkillChips({ label, skills }: { label: string; skills: ShownSkill[] }) {
  return (
    <ul aria-label={label} className="flex flex-wrap gap-1.5">
      {skills.map((skill, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may be equal, and none moves
        <li key={index} className="inline-flex max-w-full">
          <span className="sr-only">{CATEGORY_NAMES[skill.category] ?? "Other"}: </span>
          <Chip category={skill.category}>
            {skill.name} <span aria-hidden="true" className="level" data-level={skill.proficiency} />
            <span className="shrink-0 tabular-nums">
              {skill.proficiency}/5{skill.note && ` · ${skill.note}`}
            </span>
          </Chip>
        </li>
      ))}
    </ul>
  );
}
