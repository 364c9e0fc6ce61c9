import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";

const YAML_HEAD = /^---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)??(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
const TOML_HEAD = /^\+\+\+[ \t]*\r?\n(?:([\s\S]*?)\r?\n)??\+\+\+[ \t]*(?:\r?\n|$)/;

/**
 * The fields at the head of a Markdown file, scalars as texts, and the text below, byte for byte. `fields` is null
 * without a head. Throws what the parser of the head says.
 */
export function readFrontMatter(text: string): { fields: Record<string, unknown> | null; body: string } {
  const yaml = YAML_HEAD.exec(text);
  const [head, source = ""] = yaml ?? TOML_HEAD.exec(text) ?? [];
  if (head === undefined) return { fields: null, body: text };
  // In YAML's failsafe schema a title of digits stays as it was written.
  const fields = yaml
    ? (parseYaml(source, { schema: "failsafe", uniqueKeys: false, logLevel: "error" }) ?? {})
    : parseToml(source, { integersAsBigInt: "asNeeded" });
  // A rule at the head of a text is no front matter.
  if (typeof fields !== "object" || Array.isArray(fields)) return { fields: null, body: text };
  const texts = Object.entries(fields).map(([name, value]) => [name, asText(value)]);
  return { fields: Object.fromEntries(texts), body: text.slice(head.length) };
}

function asText(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" ? value : String(value);
}
