import type { SkillCategory } from "./schema.ts";

export const SKILL_CATEGORIES: Record<SkillCategory, string> = {
  python: "Python",
  sql: "SQL",
  aws: "AWS",
  tools: "Tools & Others",
};
