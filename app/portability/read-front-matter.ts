import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";

/** The fields at the head of a Markdown file, scalars as texts, and the text below. `fields` is null without a head. */
export interface FrontMatter {
  fields: Record<string, unknown> | null;
  body: string;
}

const YAML_HEAD = /^---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)??(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
const TOML_HEAD = /^\+\+\+[ \t]*\r?\n(?:([\s\S]*?)\r?\n)??\+\+\+[ \t]*(?:\r?\n|$)/;

/** Throws what the parser of the head says. The body is byte for byte what follows the head's last line. */
export function readFrontMatter(text: string): FrontMatter {
  const yaml = YAML_HEAD.exec(text);
  const [head, source = ""] = yaml ?? TOML_HEAD.exec(text) ?? [];
  if (head === undefined) return { fields: null, body: text };
  // In YAML's failsafe schema a title of digits stays as it was written.
  const fields = yaml
    ? (parseYaml(source, { schema: "failsafe", uniqueKeys: false, logLevel: "error" }) ?? {})
    : parseToml(source, { integersAsBigInt: "asNeeded" });
  // A rule at the head of a text is no front matter.
  if (typeof fields !== "object" || Array.isArray(fields)) return { fields: null, body: text };
  return { fields: withTexts(fields), body: text.slice(head.length) };
}

function withTexts(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, asText(value)]));
}

function asText(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" ? value : String(value);
}
