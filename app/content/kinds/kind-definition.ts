import { itemPath } from "../../data/addresses.ts";
import type { ContentTable } from "../../data/content-reads.ts";
import type { ContentRow } from "../../data/schema.ts";
import type { RenderJob } from "../../site.ts";

interface TextColumn {
  type: "text";
  /** Its name in messages, e.g. "has no title". */
  noun: string;
  isRequired?: boolean;
  /** Limits it to 10,000 characters, as the database does. */
  isShort?: boolean;
  /** Versions of it are compared by line instead of by word. */
  isCode?: boolean;
  /** Whether it is a URL, whose scheme must be allowed in Markdown. */
  isAddress?: boolean;
  /** The allowed values and their labels. */
  options?: Record<string, string>;
}

/** False by default. */
interface FlagColumn {
  type: "flag";
  noun: string;
}

/** A list of texts. Forms show it as one comma-separated line. */
interface ListColumn {
  type: "list";
  noun: string;
}

export type Column = TextColumn | FlagColumn | ListColumn;

/** The type of a column or form value for `Value`. If `Value` is unknown, it is any of them. */
type ByType<Value, Flag, List, Text> = unknown extends Value
  ? Flag | List | Text
  : [NonNullable<Value>] extends [boolean]
    ? Flag
    : [NonNullable<Value>] extends [string[]]
      ? List
      : Text;

/** The columns that members fill in: all but the id, the owner and the times. */
type Columns<Fields> = {
  [Name in keyof Fields]: ByType<Fields[Name], FlagColumn, ListColumn, TextColumn>;
};

/** An item's form values: texts, and booleans for checkboxes. */
export type FormValues<Fields extends TitleField = AnyFields> = {
  [Name in keyof Fields]: ByType<Fields[Name], boolean, string, string>;
};

/** A schema.org document. Undefined fields are omitted. */
export type JsonLd = { "@type": string; [field: string]: string | string[] | JsonLd | undefined };

interface PageFacts {
  /** The absolute URL of the item's social card. */
  image: string;
  /** Makes a URL absolute. Returns undefined if its scheme is not allowed. */
  absolute(address: string): string | undefined;
}

type TitleField = Pick<ContentRow, "title">;
type AnyFields = TitleField & Record<string, unknown>;

/** Defines a kind of content, except for its components `card.tsx` and `fields.tsx`. */
export interface KindDefinition<Fields extends TitleField = AnyFields, Row extends ContentRow = ContentRow>
  extends ContentTable {
  /**
   * The path of its list. Without the slash, it also names the kind's folder, its sitemaps, its part of a download and
   * the kind in commands.
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
    /** Shown if a search finds nothing. */
    empty: string;
    /** The heading of its panel on the home page. */
    latest: string;
    /** Shown on the home page and people's pages if there are no items. */
    none: string;
  };
  columns: Columns<Fields>;
  /** The columns that `public.search_content` searches (specification §5). */
  searched: readonly (keyof Fields & string)[];
  entryColumn: string;
  /** The column that describes an item in places that don't show its text. */
  summaryColumn?: keyof Fields & string;
  /** If given, the home page shows an excerpt of this column and not only titles. */
  excerptColumn?: keyof Fields & string;
  /** The column that the server renders to HTML. */
  rendered?: { field: keyof Fields & string; job(row: Row, isPage?: boolean): RenderJob };
  /** Offers each item as a file: in the download, and at the item's URL with the extension. */
  file?: {
    column: keyof Fields & string;
    mediaType: string;
    /** All possible extensions. */
    extensions: readonly string[];
    extension(row: Row): string;
    /** Whether the file starts with the other columns. Otherwise they are in a JSON list in the download. */
    hasFrontMatter: boolean;
  };
  /** Whether its public items have social cards of their own. */
  hasSocialCard: boolean;
  /** The fields of an item's JSON-LD that depend on the kind. */
  jsonLd(row: Row, page: PageFacts): JsonLd;
  /** Classes that reserve the form's height until it is shown. */
  formHeight: string;
  /** Whether a form for a new item has unsaved input (specification §4). */
  isDirty(values: FormValues<Fields>): boolean;
}

/** Whether an item may appear on the home page, on its owner's page, in feeds and in search engines. */
export const isPublic = (
  { isPublishable }: Pick<KindDefinition, "isPublishable">,
  item: { published?: unknown } & object,
): boolean => !isPublishable || item.published === true;

/** The path of the item's file. */
export function filePath({ path, file }: KindDefinition, row: ContentRow): string | undefined {
  return file && `${itemPath({ path }, row.id)}.${file.extension(row)}`;
}
