import { parse as parseToml, TomlError } from "smol-toml";
import { ReadError } from "../left-out.ts";
import { parseYaml } from "./yaml.ts";

export interface FrontMatter {
  /**
   * The fields' values by `simplified` name, with numbers, booleans and dates as text. Null if the file has no front
   * matter.
   */
  fields: ReadonlyMap<string, unknown> | null;
  /** Returns a field's name as the file spells it. */
  originalName(name: string): string;
  /** The text after the front matter, byte for byte. */
  body: string;
  unknownTags: string[];
}

type Fields = Record<string, unknown>;
interface Parsed {
  fields: Fields;
  body: string;
  unknownTags?: string[];
}

const LEADING_BLANKS = /^\ufeff*(?:[ \t]*(?:\r\n|\n|\r))*(?=[-+;{])/;
/** gray-matter allows a language after the dashes, and Hexo allows more than three dashes. */
const YAML =
  /^(-{3,})[ \t]*(?:ya?ml)?[ \t]*(?:\r\n|\n|\r)(?:([\s\S]*?)(?:\r\n|\n|\r))??(?:\1|\.\.\.)[ \t]*(?:\r\n|\n|\r|$)/;
const TOML =
  /^(\+{3}|---[ \t]*toml)[ \t]*(?:\r\n|\n|\r)(?:([\s\S]*?)(?:\r\n|\n|\r))??(?:\+{3}|---)[ \t]*(?:\r\n|\n|\r|$)/;
const FENCED_JSON =
  /^(---[ \t]*json|;{3,})[ \t]*(?:\r\n|\n|\r)([\s\S]*?)(?:\r\n|\n|\r)(?:---|;{3,})[ \t]*(?:\r\n|\n|\r|$)/;
const JSON_OBJECT = /^\{\s*"[^"\r\n]*"\s*:/;
/** Hexo allows front matter without the opening line. */
const UNOPENED_YAML = /^((?:[a-z][\w-]*:.*|[ \t-].*|#.*)(?:\r\n|\n|\r))+?-{3,}[ \t]*(?:\r\n|\n|\r|$)/i;
const UNOPENED_JSON = /^\s*"[^"\r\n]*"\s*:[\s\S]*?(?:\r\n|\n|\r);{3,}[ \t]*(?:\r\n|\n|\r|$)/;
/** The fields of Pelican and MultiMarkdown have no lines of dashes around them, and end with a blank line. */
const PLAIN_FIELDS = /^((?:[a-z][\w ()-]*:.*|[ \t]+\S.*)(?:\r\n|\n|\r))+(?=[ \t]*(?:\r\n|\n|\r|$))/i;

/** Notion exports a page's properties as a paragraph below its heading. */
const NOTION = /^(# [^\n]*\n[ \t]*\n)((?:[^\s:#!<>*|`-][^\n:]{0,60}: [^\n]*(?:\n|$))+)(?=[ \t]*(?:\n|$))/;

/** Reads front matter in YAML, TOML, JSON or plain fields, as common site generators write it. Throws ReadError. */
export function readFrontMatter(text: string, isFromNotion = false): FrontMatter {
  const source = text.replace(LEADING_BLANKS, "");
  const parsed =
    parseFenced(source) ??
    parseJsonObject(source) ??
    parseUnopened(source) ??
    (isFromNotion ? parseNotion(source) : null);
  if (!parsed) {
    return { fields: null, originalName: (name) => name, body: text, unknownTags: [] };
  }
  const { fields, body, unknownTags = [] } = parsed;
  const originalNames = new Map(Object.keys(fields).map((name) => [simplified(name), name]));
  return {
    fields: new Map(Object.entries(fields).map(([name, value]) => [simplified(name), asText(value)])),
    originalName: (name) => originalNames.get(name) ?? name,
    body,
    unknownTags,
  };
}

/** Maps `publish_date`, `publishDate` and `Publish Date` to the same name. */
export function simplified(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, "");
}

function asText(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" ? value : String(value);
}

function parseFenced(source: string): Parsed | null {
  const yaml = YAML.exec(source);
  if (yaml) {
    const result = parseYaml(unixLines(yaml[2] ?? ""));
    // If the text between them is not a YAML mapping, the two lines of dashes are thematic breaks in the article.
    return result && { ...result, body: source.slice(yaml[0].length) };
  }
  const toml = TOML.exec(source);
  if (toml) {
    return { fields: parseTomlFields(unixLines(toml[2] ?? "")), body: source.slice(toml[0].length) };
  }
  const json = FENCED_JSON.exec(source);
  return json && { fields: parseJson(json[2] ?? ""), body: source.slice(json[0].length) };
}

function parseTomlFields(source: string): Fields {
  try {
    return parseToml(source, { integersAsBigInt: "asNeeded" });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.split("\n")[0]?.replace(/^Invalid TOML document: /, "");
    // Add one for the opening line, which is not part of `source`.
    throw new ReadError(
      `cannot be read: its front matter is not valid TOML. Correct line ${error.line + 1}, or put the value in quotes. (${reason})`,
    );
  }
}

/** Hugo's JSON front matter has no fence and ends with its closing brace. */
function parseJsonObject(source: string): Parsed | null {
  if (!JSON_OBJECT.test(source)) return null;
  const end = endOfObject(source);
  const body = source.slice(end).replace(/^[ \t]*(?:;{3,})?[ \t]*(?:\r\n|\n|\r)?/, "");
  return { fields: parseJson(source.slice(0, end)), body };
}

function endOfObject(source: string): number {
  let depth = 0;
  for (const { 0: token, index } of source.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/gs)) {
    if (token === "{") depth++;
    else if (token === "}" && --depth === 0) return index + 1;
  }
  return source.length;
}

function parseJson(json: string): Fields {
  const text = json.trim();
  try {
    const value: unknown = JSON.parse(text.startsWith("{") ? text : `{${text}}`);
    return Object(value) as Fields;
  } catch (error) {
    const message = error instanceof Error ? error.message.split("\n")[0] : "";
    throw new ReadError(
      `cannot be read: its front matter is not valid JSON. Correct the lines at the top of the file. (${message})`,
    );
  }
}

function parseUnopened(source: string): Parsed | null {
  const text = source.replace(/^\ufeff+/, "");
  const [head] = UNOPENED_YAML.exec(text) ?? [];
  if (head) {
    const result = tryYaml(unixLines(head).replace(/-{3,}[ \t]*\n?$/, ""));
    if (result) return { ...result, body: text.slice(head.length) };
  }
  const [json] = UNOPENED_JSON.exec(text) ?? [];
  if (json) return { fields: parseJson(json.replace(/;{3,}\s*$/, "")), body: text.slice(json.length) };
  const [lines] = PLAIN_FIELDS.exec(text) ?? [];
  const fields = lines && plainFields(unixLines(lines));
  return fields && isFrontMatter(fields) ? { fields, body: text.slice(lines.length) } : null;
}

function parseNotion(source: string): Parsed | null {
  const text = unixLines(source);
  const [match, heading = "", properties = ""] = NOTION.exec(text) ?? [];
  if (match === undefined) return null;
  const lines = properties.trim().split("\n");
  const fields = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2).trim()]),
  );
  return { fields, body: heading + text.slice(match.length).replace(/^\n+/, "") };
}

function tryYaml(source: string): ReturnType<typeof parseYaml> {
  try {
    const result = parseYaml(source);
    return result && isFrontMatter(result.fields) ? result : null;
  } catch {
    return null;
  }
}

/** Distinguishes front matter without a fence from an article that starts with e.g. "Note: …". */
function isFrontMatter(fields: Fields): boolean {
  return Object.keys(fields).some((name) => /^(?:title|date)$/i.test(name));
}

function plainFields(lines: string): Fields {
  const fields: Fields = {};
  let last = "";
  for (const line of lines.split("\n")) {
    const [, name, value = ""] = /^([a-z][\w ()-]*):\s*(.*)$/i.exec(line) ?? [];
    if (name) {
      last = name;
      fields[name] = value.trim();
    } else if (last && line.trim()) fields[last] = `${String(fields[last])} ${line.trim()}`;
  }
  return fields;
}

function unixLines(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}
