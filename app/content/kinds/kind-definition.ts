import { itemPath } from "../../data/addresses.ts";
import type { ContentTable } from "../../data/content-reads.ts";
import type { ContentRow } from "../../data/schema.ts";
import type { RenderJob } from "../../site.ts";

interface TextColumn {
  type: "text";
  /** Names it in messages: "has no title". */
  noun: string;
  isRequired?: boolean;
  /** Holds at most 10,000 characters (access-rules). */
  isShort?: boolean;
  /** Versions of it are compared by line instead of by word. */
  isCode?: boolean;
  /** Its scheme has to pass the rule for addresses in Markdown. */
  isAddress?: boolean;
  /** The values that it may have, with their labels. */
  options?: Record<string, string>;
}

/** False by default. */
interface FlagColumn {
  type: "flag";
  noun: string;
}

/** A list of texts, which a form shows as one line with commas. */
interface ListColumn {
  type: "list";
  noun: string;
}

export type Column = TextColumn | FlagColumn | ListColumn;

/** The type of a column, or of a form's value, that holds `Value`. Of an unknown kind it may be any. */
type ByType<Value, Flag, List, Text> = unknown extends Value
  ? Flag | List | Text
  : [NonNullable<Value>] extends [boolean]
    ? Flag
    : [NonNullable<Value>] extends [string[]]
      ? List
      : Text;

/** The columns that members fill in. The other ones are the id, the owner and the times. */
type Columns<Fields> = {
  [Name in keyof Fields]: ByType<Fields[Name], FlagColumn, ListColumn, TextColumn>;
};

/** What a form holds of an item: texts, and whether a box is ticked. */
export type FormValues<Fields extends TitleField = AnyFields> = {
  [Name in keyof Fields]: ByType<Fields[Name], boolean, string, string>;
};

/** A document of schema.org's vocabulary; fields without a value are left out. */
export type JsonLd = { "@type": string; [field: string]: string | string[] | JsonLd | undefined };

interface PageFacts {
  /** The absolute URL of the item's social card. */
  image: string;
  /** An absolute URL; undefined if the address may not be opened. */
  absolute(address: string): string | undefined;
}

type TitleField = Pick<ContentRow, "title">;
type AnyFields = TitleField & Record<string, unknown>;

/** Everything about a kind of content but its looks: its folder also has `card.tsx` and `fields.tsx`. */
export interface KindDefinition<Fields extends TitleField = AnyFields, Row extends ContentRow = ContentRow>
  extends ContentTable {
  /**
   * The address of its list. Without the slash it is also the name of the kind's folder, of its sitemaps and of its part
   * of a download, and the kind's name in commands.
   */
  path: string;
  /** Of its list: "Useful Links". */
  name: string;
  /** Of one item: "Link". */
  itemName: string;
  description: string;
  texts: {
    searchPlaceholder: string;
    createHeading: string;
    editHeading: string;
    createButton: string;
    updateButton: string;
    /** Where a search finds nothing. */
    empty: string;
    /** The heading of its panel on the home page. */
    latest: string;
    /** Where there is nothing to list, on the home page and a person's page. */
    none: string;
  };
  columns: Columns<Fields>;
  /** The columns that a search looks at (specification §5); `public.search_content` does the search. */
  searched: readonly (keyof Fields & string)[];
  entryColumn: string;
  /** The column that describes an item where its text is not shown. */
  summaryColumn?: keyof Fields & string;
  /** With it the home page shows the beginning of this column, not only titles. */
  excerptColumn?: keyof Fields & string;
  /** The column that is shown as HTML, which the server renders. */
  rendered?: { field: keyof Fields & string; job(row: Row, isPage?: boolean): RenderJob };
  /** An item as a file of its own, in the download and at the item's address with this extension. */
  file?: {
    column: keyof Fields & string;
    mediaType: string;
    /** All that there are. */
    extensions: readonly string[];
    extension(row: Row): string;
    /** Whether the file begins with the other columns; otherwise a JSON list in the download has them. */
    hasFrontMatter: boolean;
  };
  /** Whether its public items have social cards of their own. */
  hasSocialCard: boolean;
  /** The fields of an item's JSON-LD that depend on the kind. */
  jsonLd(row: Row, page: PageFacts): JsonLd;
  /** Classes that keep the form's height free until the form is shown. */
  formHeight: string;
  /** Whether a form that creates an item holds something to lose (specification §4). */
  isDirty(values: FormValues<Fields>): boolean;
}

/** Whether an item may appear on the home page, its owner's page, in feeds and search engines. */
export const isPublic = (
  { isPublishable }: Pick<KindDefinition, "isPublishable">,
  item: { published?: unknown } & object,
): boolean => !isPublishable || item.published === true;

/** The address of the item's file. */
export function filePath({ path, file }: KindDefinition, row: ContentRow): string | undefined {
  return file && `${itemPath({ path }, row.id)}.${file.extension(row)}`;
}
