import { parseDocument, type ScalarTag, visit } from "yaml";
import { ReadError } from "../left-out.ts";

const STANDARD = "tag:yaml.org,2002:";
/**
 * Scalars with these explicit tags stay text, e.g. `title: !!int 2024`. The `failsafe` schema already keeps untagged
 * scalars as text, so that `title: 2024` is a title and not a number.
 */
const TEXT_TAGS = ["str", "timestamp", "int", "float", "bool", "null", "python/str", "python/unicode"];

const tags: ScalarTag[] = [
  ...TEXT_TAGS.map((name) => ({ tag: STANDARD + name, resolve: (text: string) => text })),
  // Ruby's YAML library writes strings with a binary encoding as `!binary`, in Base64, even if they are text.
  ...["!binary", `${STANDARD}binary`].map((tag) => ({ tag, resolve: decodeBinary })),
];

function decodeBinary(text: string): string {
  const bytes = Uint8Array.from(atob(text.replace(/\s+/g, "")), (character) => character.charCodeAt(0));
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

/** Returns null if the YAML is not a mapping. Throws ReadError with advice for the member if the YAML is invalid. */
export function parseYaml(source: string): { fields: Record<string, unknown>; unknownTags: string[] } | null {
  try {
    const document = parseDocument(source, { schema: "failsafe", customTags: tags, uniqueKeys: false });
    const [error] = document.errors;
    if (error) throw error;
    // The schema reads every scalar as text. Only quoted, "null" is one.
    visit(document, {
      Scalar(key, node) {
        if (
          key !== "key" &&
          node.type === "PLAIN" &&
          !node.tag &&
          /^(?:null|Null|NULL|~)$/.test(String(node.value))
        )
          node.value = "";
      },
    });
    const fields: unknown = document.toJS() ?? {};
    if (typeof fields !== "object" || fields === null || Array.isArray(fields)) return null;
    const warnings = document.warnings.filter(({ code }) => code === "TAG_RESOLVE_FAILED");
    const unknownTags = warnings.flatMap(({ message }) => /Unresolved tag: (\S+)/.exec(message)?.[1] ?? []);
    return { fields: fields as Record<string, unknown>, unknownTags: [...new Set(unknownTags)] };
  } catch (error) {
    throw new ReadError(errorMessage(error));
  }
}

function errorMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [first = ""] = message.split("\n");
  const [, line] = /at line (\d+)/.exec(first) ?? [];
  const where = line ? `line ${Number(line) + 1}` : "the lines between the two lines of dashes";
  const reason = first.replace(/ at line \d+.*$/, "");
  return `cannot be read: its front matter is not valid YAML. Correct ${where}, or put the value in quotes. (${reason})`;
}
