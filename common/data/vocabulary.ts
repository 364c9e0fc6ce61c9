/** The categories of skills, with the labels that forms show. */
export const SKILL_CATEGORIES: Record<string, string> = {
  python: "Python",
  sql: "SQL",
  aws: "AWS",
  tools: "Tools & Others",
};
