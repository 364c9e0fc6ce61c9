import { itemPath } from "../data/addresses.ts";
import type { ByType, Columns } from "../data/columns.ts";
import { type ContentTable, columnOf, ownerOf } from "../data/content-reads.ts";
import type { ContentRow } from "../data/schema.ts";
import type { RenderJob } from "../page-services.ts";

/** The values of an item's form: strings, and booleans for checkboxes. */
export type FormValues<Fields extends TitleField = AnyFields> = {
  [Name in keyof Fields]: ByType<Fields[Name], boolean, string, string, string>;
};

/** A schema.org document. Undefined fields are omitted. */
export type JsonLd = { "@type": string; [field: string]: string | string[] | JsonLd | undefined };

interface PageFacts {
  /** The absolute URL of the picture in link previews: a picture from the text, the item's social card or the site's. */
  image: string;
  /** Makes a URL absolute. Returns undefined if the URL is invalid or its scheme is not allowed. */
  absolute(address: string): string | undefined;
}

interface ResumeFacts {
  /** The item's URL. */
  url: string;
  /** The day on which the item was created, or undefined if JSON Resume doesn't allow its year. */
  createdOn: string | undefined;
  siteTitle: string;
}

type TitleField = Pick<ContentRow, "title">;
type AnyFields = TitleField & Record<string, unknown>;

/** The names of a row's columns. Any name, if only the columns are known that every kind of content has. */
type ColumnName<Row> = ContentRow extends Row ? string : keyof Row & string;

/** Defines a kind of content. Its React components are in `app/content/kinds/<name>/card.tsx` and `fields.tsx`. */
export interface KindDefinition<
  Fields extends TitleField = AnyFields,
  Row extends ContentRow = ContentRow,
  Table extends string = string,
> extends ContentTable {
  table: Table;
  ownerColumn: ColumnName<Row>;
  noteColumn: ColumnName<Row>;
  /**
   * The path of the kind's list, e.g. "/articles". The text after the slash is also the kind's name in sitemaps, downloads
   * and commands, and the name of its file here and of its folder in `app/content/kinds`.
   */
  path: string;
  /** The list's name, e.g. "Useful Links". */
  name: string;
  /** The name of one item, e.g. "Link". */
  itemName: string;
  description: string;
  texts: {
    searchPlaceholder: string;
    createHeading: string;
    editHeading: string;
    createButton: string;
    updateButton: string;
    /** Shown if the list is empty or a search finds nothing. */
    noResults: string;
    /** The heading of the kind's panel on the home page. */
    latest: string;
    /** Replaces an empty list on the home page and on people's pages. */
    noItems: string;
  };
  /** The columns that members fill in: all except the id, the owner and the timestamps. */
  columns: Columns<Fields>;
  /** The column for the description in an item page's metadata. Defaults to the rendered text. */
  summaryColumn?: keyof Fields & string;
  /** If set, the home page shows an excerpt of this column with each title. */
  excerptColumn?: keyof Fields & string;
  /** If set, each item is also available as a file: in its owner's download, and at its page's URL plus the extension. */
  file?: {
    column: keyof Fields & string;
    mediaType: string;
    /** All extensions that `extension` returns for rows that the database allows. */
    extensions: readonly string[];
    extension(row: Row): string;
    /** Whether the file has front matter with the other columns. Otherwise, they are in a JSON list in the owner's download. */
    hasFrontMatter: boolean;
  };
  /** The path of the feed of the kind's public items. A person's feed has the same path below the person's page. */
  feed?: string;
  /** Whether each public item has its own social card. Otherwise, the site's card is used. */
  hasSocialCard: boolean;
  /** If set, a person's JSON Resume lists their public items in a section (jsonresume.org/schema). */
  resume?: { section: "publications" | "projects"; entry(row: Row, page: ResumeFacts): object };
  /** Returns the kind-specific fields of an item's JSON-LD. */
  jsonLd(row: Row, page: PageFacts): JsonLd;
  /** CSS classes that reserve the form's height until it is shown. Visitors' pages must contain nothing of the form. */
  formHeight: string;
  /** Whether a form for a new item has unsaved input (specification §4). */
  isDirty(values: FormValues<Fields>): boolean;
}

/** Whether an item may appear on the home page, on its owner's page, in feeds and in search engines. */
export const isPublic = (
  { isPublishable }: Pick<KindDefinition, "isPublishable">,
  item: { published?: unknown } & object,
): boolean => !isPublishable || item.published === true;

/** Returns the path of an item's file, or undefined if items of this kind have none. */
export function filePath({ path, file }: KindDefinition, row: ContentRow): string | undefined {
  return file && `${itemPath({ path }, row)}.${file.extension(row)}`;
}

/** Returns the name of the column that the server renders to HTML: the first with Markdown or code. */
export function renderedColumn({ columns }: Pick<KindDefinition, "columns">): string | undefined {
  return Object.keys(columns).find((name) => /^(markdown|code)$/.test(columns[name]?.type ?? ""));
}

/** Returns the names of the columns with Markdown, which may contain pictures. */
export function markdownColumns({ columns }: Pick<KindDefinition, "columns">): string[] {
  return Object.keys(columns).filter((name) => columns[name]?.type === "markdown");
}

/** Describes what to render for a row. Returns undefined if the kind has no column to render. */
export function renderJob(kind: KindDefinition, row: ContentRow, isPage = false): RenderJob | undefined {
  const name = renderedColumn(kind);
  if (name === undefined) return undefined;
  const column = kind.columns[name];
  const job = { author: ownerOf(kind, row), text: String(columnOf(row, name) ?? "") };
  if (column?.type === "code") {
    return { ...job, format: "code", language: String(columnOf(row, column.languageColumn)) };
  }
  return { ...job, format: isPage ? "markdown-page" : "markdown", path: itemPath(kind, row) };
}
