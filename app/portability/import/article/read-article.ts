import { articles } from "../../../content/kinds/articles/definition.ts";
import type { Column } from "../../../content/kinds/kind-definition.ts";
import { isUuid } from "../../../data/addresses.ts";
import { firstHeading } from "../../../ui/markdown/first-heading.ts";
import { type FileItem, fieldsSchema } from "../items.ts";
import { check } from "../left-out.ts";
import { parseDate } from "./dates.ts";
import { type FrontMatter, readFrontMatter, simplified } from "./front-matter.ts";
import { readPath } from "./paths.ts";
import { isPublicationField, whyNotPublic } from "./publication.ts";
import { decodeEntities } from "./titles.ts";

// Generators' and platforms' names for the same field, simplified as in `FrontMatter`, in order of precedence.
const CREATED = [
  "createdat",
  "date",
  "datepublished",
  "publishedat",
  "publishedon",
  "publisheddate",
  "publishdate",
  "pubdate",
  "postdate",
  "firstpublishedat",
  "datecreated",
  "created",
  "createdon",
  "published",
];
const UPDATED = [
  "updatedat",
  "lastmod",
  "lastmodifiedat",
  "lastmodified",
  "modified",
  "modifiedat",
  "dateupdated",
  "datemodified",
  "updateddate",
  "updated",
];
/** Columns that a download writes to front matter under their own names. */
const OWN_NAMES = new Map<string, [name: string, column: Column]>(
  Object.entries<Column>(articles.columns)
    .filter(([name]) => !["title", "content", "published"].includes(name))
    .map((entry) => [simplified(entry[0]), entry]),
);
const KNOWN = new Set(["id", "title", ...OWN_NAMES.keys(), ...CREATED, ...UPDATED]);

/** Throws ReadError. */
export function readArticle(text: string, path: string, modifiedAt: Date, now = new Date()): FileItem {
  const head = readFrontMatter(text.replace(/^\ufeff/, ""));
  const { fields, body } = head;
  const field = (name: string) => textOf(fields?.get(name));
  const id = field("id").toLowerCase();
  const isOwn = isUuid(id);
  const fromPath = readPath(path);
  const created = firstDate(head, CREATED);
  const updated = firstDate(head, UPDATED);
  const notPublic = whyNotPublic(head, { path, dates: created.all, now });
  const title = isOwn ? field("title") : decodeEntities(field("title")).trim();

  return {
    table: articles.table,
    source: path,
    id: isOwn ? id : null,
    path,
    fields: check(fieldsSchema(articles.table), {
      title: isOwn || title ? title : (firstHeading(body) ?? fromPath.name),
      content: isOwn || fields === null ? body : foreignBody(body),
      published: notPublic === null,
      ...readOwnNames(head),
    }),
    notPublic,
    createdAt: created.date ?? fromPath.date,
    updatedAt: updated.date ?? modifiedAt.toISOString(),
    modifiedAt: modifiedAt.toISOString(),
    notes: [...ignoredFields(head), ...unknownTags(head), ...created.unreadable, ...updated.unreadable],
  };
}

function readOwnNames({ fields }: FrontMatter) {
  return Object.fromEntries(
    [...OWN_NAMES].map(([key, [name, column]]) => [name, readColumn(column, fields?.get(key))]),
  );
}

function readColumn(column: Column, value: unknown): unknown {
  if (column.type === "flag") return value === "true";
  if (column.type === "list") return Array.isArray(value) ? value.map(textOf).filter(Boolean) : [];
  return textOf(value) || (column.isRequired ? "" : null);
}

/** Drops the blank lines after the front matter, and converts the CR line ends of old Macs. */
function foreignBody(body: string): string {
  return body.replace(/\r(?!\n)/g, "\n").replace(/^(?:[ \t]*\r?\n)+/, "");
}

function firstDate({ fields }: FrontMatter, names: string[]) {
  const all = new Map<string, string>();
  const unreadable: string[] = [];
  for (const name of names) {
    const value = textOf(fields?.get(name));
    const date = parseDate(value);
    if (date) all.set(name, date);
    // `published` may be a flag or a date.
    else if (value && name !== "published") unreadable.push(`the date “${value}” is not understood`);
  }
  const [date = null] = all.values();
  return { date, all, unreadable };
}

function ignoredFields({ fields, originalName }: FrontMatter): string[] {
  const ignored = [...(fields?.keys() ?? [])]
    .filter((name) => !KNOWN.has(name) && !isPublicationField(name))
    .map(originalName);
  return ignored.length > 0 ? [`left out: ${ignored.join(", ")}`] : [];
}

function unknownTags({ unknownTags }: FrontMatter): string[] {
  return unknownTags.map((tag) => `has a YAML tag that is not understood: ${tag}`);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
