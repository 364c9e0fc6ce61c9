import { Link } from "react-router";
import { years } from "../../common/data/experience.ts";
import type { SkillFields } from "../../common/data/profile.ts";
import { SKILL_CATEGORIES } from "../../common/data/vocabulary.ts";
import { Chip } from "../ui/chip.tsx";
import { Level, LevelBar } from "../ui/proficiency.tsx";
import { peopleWithSkill } from "./people-with-skill.ts";

export function SkillTable({ skills }: { skills: SkillFields[] }) {
  return (
    <table aria-labelledby="skills" className="w-full max-w-measure text-start">
      <thead className="sr-only print:not-sr-only">
        <tr>
          <th scope="col">Skill</th>
          <th scope="col">Category</th>
          <th scope="col">Level</th>
          <th scope="col">Years</th>
        </tr>
      </thead>
      <tbody>
        {skills.map(({ category, name, proficiency, years_experience }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: skills may be duplicates, and their order never changes
          <tr key={index} className="border-t border-rule last:border-b">
            <td className="w-full py-1 pe-4 wrap-anywhere">
              <Link to={peopleWithSkill(name)} className="inline-flex min-h-11 items-center hover:underline">
                <Chip category={category}>
                  <bdi>{name}</bdi>
                </Chip>
              </Link>
            </td>
            <td className="pe-6 text-sm whitespace-nowrap text-muted max-sm:sr-only print:not-sr-only">
              {SKILL_CATEGORIES[category] ?? "Other"}
            </td>
            <td className="pe-4 whitespace-nowrap">
              <span className="inline-flex items-center gap-2 text-sm tabular-nums">
                <LevelBar level={proficiency} />
                <Level level={proficiency} />
              </span>
            </td>
            <td className="text-end text-sm whitespace-nowrap text-muted tabular-nums">
              {years(years_experience)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
