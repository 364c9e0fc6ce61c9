/**
 * Writes YAML front matter. Timestamps have no quotes. The other values are JSON, which is valid YAML once a few more
 * characters are escaped.
 */
export function writeFrontMatter(fields: Record<string, unknown>): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${scalar(value)}\n`);
  return `---\n${lines.join("")}---\n`;
}

const UNSAFE_IN_YAML = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;
const PLAIN_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/;

function scalar(value: unknown): string {
  if (typeof value === "string" && PLAIN_TIME.test(value)) return value;
  return JSON.stringify(value).replace(
    UNSAFE_IN_YAML,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
