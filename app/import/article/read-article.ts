import { isUuid } from "../../../common/data/addresses.ts";
import type { Column } from "../../../common/data/columns.ts";
import { articles } from "../../../common/kinds/articles.ts";
import { type FileItem, fieldsSchema } from "../items.ts";
import { validate } from "../left-out.ts";
import { ADDRESS_FIELDS } from "../links/old-addresses.ts";
import { dropLeftoverSyntax, type Vault } from "../text/leftover-syntax.ts";
import { parseDate } from "./dates.ts";
import { type FrontMatter, readFrontMatter, simplified } from "./front-matter.ts";
import { NOTION_NAME, readPath } from "./paths.ts";
import { isPublicationField, whyUnpublished } from "./publication.ts";
import { decodeTitle, withoutHeading } from "./titles.ts";

// Names of date fields in site generators and blog platforms, simplified as in `FrontMatter`, in order of precedence.
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
/** Columns that are added to articles later. A download writes them to front matter under their own names. */
const OWN_NAMES = new Map<string, [name: string, column: Column]>(
  Object.entries<Column>(articles.columns)
    .filter(([name]) => !["title", "content", "published"].includes(name))
    .map((entry) => [simplified(entry[0]), entry]),
);
const KNOWN = new Set(["id", "title", ...OWN_NAMES.keys(), ...CREATED, ...UPDATED]);

/** Reads an article from a Markdown file, with or without front matter. Throws ReadError. */
export function readArticle(
  text: string,
  path: string,
  modifiedAt: Date,
  now = new Date(),
  isNameShared = false,
  vault?: Vault,
): FileItem {
  const frontMatter = readFrontMatter(text.replace(/^\ufeff/, ""), NOTION_NAME.test(path));
  const { fields, body } = frontMatter;
  const field = (name: string) => textOf(fields?.get(name));
  const id = readId(field("id"));
  const isFromTechfolio = isUuid(id);
  const fromPath = readPath(path, isNameShared);
  const created = firstDate(frontMatter, CREATED);
  const updated = firstDate(frontMatter, UPDATED);
  const unpublishedReason = whyUnpublished(frontMatter, { path, dates: created.all, now });
  const { title, content, notes } = isFromTechfolio
    ? { title: field("title"), content: body, notes: [] }
    : readForeignText(decodeTitle(field("title")).trim(), body, {
        hasFields: fields !== null,
        fallback: fromPath.name,
        vault,
      });

  return {
    table: articles.table,
    source: path,
    id: id || null,
    path,
    fields: validate(fieldsSchema(articles.table), {
      title,
      content,
      published: unpublishedReason === null,
      ...readOwnNames(frontMatter),
    }),
    unpublishedReason,
    createdAt: created.date ?? fromPath.date,
    updatedAt: updated.date ?? modifiedAt.toISOString(),
    modifiedAt: modifiedAt.toISOString(),
    hasUnreadableDate: [...created.unreadable, ...updated.unreadable].length > 0,
    notes: [
      ...notes,
      ...ignoredFields(frontMatter),
      ...unknownTags(frontMatter),
      ...created.unreadable,
      ...updated.unreadable,
    ],
    names: [fromPath.name, field("slug")].filter(Boolean),
    oldAddresses: addressesIn(frontMatter),
  };
}

/** UUIDs are case-insensitive. Other programs' ids are not. */
function readId(value: string): string {
  const id = value.trim();
  return isUuid(id.toLowerCase()) ? id.toLowerCase() : id;
}

function readOwnNames({ fields }: FrontMatter) {
  return Object.fromEntries(
    [...OWN_NAMES].map(([key, [name, column]]) => [name, readColumn(column, fields?.get(key))]),
  );
}

function readColumn(column: Column, value: unknown): unknown {
  if (column.type === "flag") return value === "true";
  if (column.type === "list") return Array.isArray(value) ? value.map(textOf).filter(Boolean) : [];
  const text = textOf(value);
  if (column.type === "number" && text !== "") return Number(text);
  return text || (column.isRequired ? "" : null);
}

/** Reads a text from another program. The line end between front matter and text belongs to neither. */
function readForeignText(
  title: string,
  body: string,
  { hasFields, fallback, vault }: { hasFields: boolean; fallback: string; vault: Vault | undefined },
): { title: string; content: string; notes: string[] } {
  const { text, notes } = dropLeftoverSyntax(hasFields ? body.replace(/^\r?\n|^\r/, "") : body, vault);
  const { heading, rest } = withoutHeading(text, title);
  return { title: title || heading || fallback, content: rest, notes };
}

function firstDate({ fields }: FrontMatter, names: string[]) {
  const all = new Map<string, string>();
  const unreadable: string[] = [];
  for (const name of names) {
    const value = textOf(fields?.get(name));
    const date = parseDate(value);
    if (date) all.set(name, date);
    // Don't report a value of `published` that isn't a date: the field may also be a flag, as in `published: true`.
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

function addressesIn({ fields }: FrontMatter): { field: string; address: string }[] {
  return ADDRESS_FIELDS.flatMap((field) =>
    [fields?.get(field)].flat().flatMap((value) => {
      const address = textOf(value).trim();
      return address === "" ? [] : [{ field, address }];
    }),
  );
}

function unknownTags({ unknownTags }: FrontMatter): string[] {
  return unknownTags.map((tag) => `has a YAML tag that is not understood: ${tag}`);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
