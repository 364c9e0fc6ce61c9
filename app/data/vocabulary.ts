import type { SkillCategory } from "./schema.ts";

/** The skill categories with their labels (specification §9, contract). */
export const SKILL_CATEGORIES: Record<SkillCategory, string> = {
  python: "Python",
  sql: "SQL",
  aws: "AWS",
  tools: "Tools & Others",
};

/** The languages of code samples with their labels (specification §2, Sample code page). */
export const LANGUAGES: Record<string, string> = {
  python: "Python",
  sql: "SQL",
  javascript: "JavaScript",
  typescript: "TypeScript",
  bash: "Bash",
  yaml: "YAML",
};
