import { articles } from "../../../content/kinds/articles/definition.ts";
import { isUuid } from "../../../data/addresses.ts";
import { type FileItem, fieldsSchema } from "../items.ts";
import { check } from "../left-out.ts";
import { parseDate } from "./dates.ts";
import { readFrontMatter } from "./read-front-matter.ts";

// The names by which site generators and platforms call the same thing, in lower case without `_` and `-`.
const CREATED = [
  "createdat",
  "date",
  "datepublished",
  "publishedat",
  "publishdate",
  "pubdate",
  "datecreated",
  "created",
];
const UPDATED = [
  "updatedat",
  "lastmod",
  "lastmodifiedat",
  "lastmodified",
  "modified",
  "dateupdated",
  "updated",
];
const KNOWN = new Set(["id", "title", "published", "draft", "status", ...CREATED, ...UPDATED]);

const YES = /^(?:true|yes|on|y|1)$/i;
const NO = /^(?:false|no|off|n|0)$/i;
/** Jekyll names its posts `2024-01-05-title.md`. */
const DATED_NAME = /^(\d{4}-\d{1,2}-\d{1,2})-(.+)$/;

const FENCED = /^ {0,3}(`{3,}|~{3,})[^\n]*[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|$(?![\s\S]))/gm;
const HEADING = /^ {0,3}#{1,6}[ \t]+(\S.*?)(?:[ \t]+#+)?[ \t]*$|^(?=.*\S)(.+)(?:\r\n|\r|\n) {0,3}=+[ \t]*$/m;

/** `modifiedAt` is the file's own. Throws what the parser of the front matter says, and NotRead. */
export function readArticle(text: string, path: string, modifiedAt: Date): FileItem {
  const { fields, body } = readFrontMatter(text.replace(/^\ufeff/, ""));
  const known = new Map(Object.entries(fields ?? {}).map(([name, value]) => [simplified(name), value]));
  const first = (names: string[]) => names.map((name) => textOf(known.get(name))).find(Boolean) ?? "";
  const id = textOf(known.get("id")).toLowerCase();
  const isOwn = isUuid(id);
  const [, nameDate = "", name] = DATED_NAME.exec(baseName(path)) ?? [null, "", baseName(path)];
  // Some write the time of publishing where others say whether.
  const publishedAt = parseDate(textOf(known.get("published")));
  const date = first(CREATED) || (publishedAt ? textOf(known.get("published")) : nameDate);
  const createdAt = parseDate(date);
  const title = textOf(known.get("title"));

  return {
    table: articles.table,
    source: path,
    id: isOwn ? id : null,
    path,
    fields: check(fieldsSchema(articles.table), {
      title: isOwn || title.trim() ? title : (firstHeading(body) ?? name ?? path),
      // The empty lines below a foreign head belong to neither.
      content: isOwn || fields === null ? body : body.replace(/^(?:[ \t]*\r?\n)+/, ""),
      published: isPublished(known, fields !== null, path, publishedAt !== null),
    }),
    createdAt,
    updatedAt: parseDate(first(UPDATED)) ?? modifiedAt.toISOString(),
    notes: [
      ...ignoredFields(fields),
      ...(date && !createdAt ? [`the date “${date}” is not understood`] : []),
    ],
  };
}

function isPublished(known: Map<string, unknown>, hasHead: boolean, path: string, isTime: boolean): boolean {
  const draft = textOf(known.get("draft"));
  const published = textOf(known.get("published"));
  if (draft && !NO.test(draft)) return false;
  if (/^draft$/i.test(textOf(known.get("status"))) || /(?:^|\/)_drafts\//.test(path)) return false;
  return published ? YES.test(published) || isTime : hasHead;
}

function ignoredFields(fields: object | null): string[] {
  const ignored = Object.keys(fields ?? {}).filter((name) => !KNOWN.has(simplified(name)));
  return ignored.length > 0 ? [`left out: ${ignored.join(", ")}`] : [];
}

function firstHeading(body: string): string | undefined {
  const [, marked, underlined] = HEADING.exec(body.replace(FENCED, "")) ?? [];
  return marked ?? underlined?.trim();
}

/** Page bundles are called by their folder: `posts/my-page/index.md`. */
function baseName(path: string): string {
  const parts = path.replace(/\.[^./]+$/, "").split("/");
  const isIndex = parts.length > 1 && /^_?index$/i.test(parts.at(-1) ?? "");
  return parts.at(isIndex ? -2 : -1) ?? path;
}

function simplified(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, "");
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
