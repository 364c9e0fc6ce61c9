import type { SkillFields } from "../data/profile.ts";
import { SKILL_CATEGORIES } from "../data/vocabulary.ts";

export function SkillTable({ skills, className }: { skills: SkillFields[]; className: string }) {
  return (
    <table className={`w-full text-start ${className}`}>
      <thead>
        <tr>
          <th scope="col">Skill</th>
          <th scope="col">Category</th>
          <th scope="col">Level</th>
          <th scope="col">Years</th>
        </tr>
      </thead>
      <tbody>
        {skills.map(({ category, name, proficiency, years_experience }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two may be equal, and none moves
          <tr key={index}>
            <td dir="auto">{name}</td>
            <td>{SKILL_CATEGORIES[category] ?? "Other"}</td>
            <td>{proficiency}/5</td>
            <td>{years_experience}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
