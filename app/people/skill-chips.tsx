import { years } from "../../common/data/experience.ts";
import type { ShownSkill } from "../../common/data/people-reads.ts";
import { SKILL_CATEGORIES } from "../../common/data/vocabulary.ts";
import { Chip } from "../ui/chip.tsx";
import { Level, LevelBar } from "../ui/proficiency.tsx";

export function SkillChips({ label, skills }: { label: string; skills: ShownSkill[] }) {
  return (
    <ul aria-label={label} className="flex flex-wrap gap-1.5">
      {skills.map(({ category, name, proficiency, years_experience }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: skills may be duplicates, and their order never changes
        <li key={index} className="inline-flex max-w-full">
          {/* Screen readers don't convey the chip's colour, which shows the category. */}
          <span className="sr-only">{`${SKILL_CATEGORIES[category] ?? "Other"}: `}</span>
          <Chip category={category}>
            {name} <LevelBar level={proficiency} />
            <span className="shrink-0 tabular-nums">
              <Level level={proficiency} />
              {years_experience !== undefined && ` · ${years(years_experience)}`}
            </span>
          </Chip>
        </li>
      ))}
    </ul>
  );
}
