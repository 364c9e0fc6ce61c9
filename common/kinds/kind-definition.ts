import { itemPath } from "../data/addresses.ts";
import type { ContentTable } from "../data/content-reads.ts";
import type { ContentRow } from "../data/schema.ts";
import type { RenderJob } from "../page-services.ts";

interface TextColumn {
  type: "text";
  /** The column's name in messages, e.g. "title" in "has no title". */
  noun: string;
  isRequired?: boolean;
  /** Whether the text may have at most 10,000 characters, a limit that the database enforces. */
  isShort?: boolean;
  /** Whether the text is compared with its earlier versions by line instead of by word. */
  isCode?: boolean;
  /** Whether the text is a URL. Its scheme must be one that Markdown links allow. */
  isAddress?: boolean;
  /** The allowed values, with the labels that forms show. */
  options?: Record<string, string>;
}

/** A boolean column. It is false by default. */
interface FlagColumn {
  type: "flag";
  noun: string;
}

/** A column with a list of strings. Forms show it as one comma-separated line. */
interface ListColumn {
  type: "list";
  noun: string;
}

export type Column = TextColumn | FlagColumn | ListColumn;

/** `Flag`, `List` or `Text`, depending on the type `Value`. For `unknown`, the result is their union. */
type ByType<Value, Flag, List, Text> = unknown extends Value
  ? Flag | List | Text
  : [NonNullable<Value>] extends [boolean]
    ? Flag
    : [NonNullable<Value>] extends [string[]]
      ? List
      : Text;

/** The columns that members fill in: all except the id, the owner and the timestamps. */
type Columns<Fields> = {
  [Name in keyof Fields]: ByType<Fields[Name], FlagColumn, ListColumn, TextColumn>;
};

/** The values of an item's form: strings, and booleans for checkboxes. */
export type FormValues<Fields extends TitleField = AnyFields> = {
  [Name in keyof Fields]: ByType<Fields[Name], boolean, string, string>;
};

/** A schema.org document. Undefined fields are omitted. */
export type JsonLd = { "@type": string; [field: string]: string | string[] | JsonLd | undefined };

interface PageFacts {
  /** The absolute URL of the picture in link previews: a picture from the text, the item's social card or the site's. */
  image: string;
  /** Makes a URL absolute. Returns undefined if the URL is invalid or its scheme is not allowed. */
  absolute(address: string): string | undefined;
}

type TitleField = Pick<ContentRow, "title">;
type AnyFields = TitleField & Record<string, unknown>;

/** Defines a kind of content. Its React components are in `card.tsx` and `fields.tsx` in the same folder. */
export interface KindDefinition<Fields extends TitleField = AnyFields, Row extends ContentRow = ContentRow>
  extends ContentTable {
  /**
   * The path of the kind's list, e.g. "/articles".
   * The text after the slash is also the kind's name in sitemaps, downloads and commands, and the name of its folder.
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
    empty: string;
    /** The heading of the kind's panel on the home page. */
    latest: string;
    /** Shown on the home page and on people's pages if there are no items. */
    none: string;
  };
  columns: Columns<Fields>;
  /** The column for the description in an item page's metadata. Defaults to the rendered text. */
  summaryColumn?: keyof Fields & string;
  /** If set, the home page shows an excerpt of this column with each title. */
  excerptColumn?: keyof Fields & string;
  /** `field` is the column that the server renders to HTML. `job` describes what to render for a row. */
  rendered?: { field: keyof Fields & string; job(row: Row, isPage?: boolean): RenderJob };
  /** If set, each item is also available as a file: in its owner's download, and at its page's URL plus the extension. */
  file?: {
    column: keyof Fields & string;
    mediaType: string;
    /** All extensions that `extension` returns for rows that the database allows. */
    extensions: readonly string[];
    extension(row: Row): string;
    /** Whether the file starts with the other columns. Otherwise, they are in a JSON list in the owner's download. */
    hasFrontMatter: boolean;
  };
  /** The path of the feed of the kind's public items. */
  feed?: string;
  /** Whether each public item has its own social card. Otherwise, the site's card is used. */
  hasSocialCard: boolean;
  /** Returns the kind-specific fields of an item's JSON-LD. */
  jsonLd(row: Row, page: PageFacts): JsonLd;
  /** CSS classes that reserve the form's height until it is shown. */
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
  return file && `${itemPath({ path }, row.id)}.${file.extension(row)}`;
}
