import { MAX_CHARACTERS } from "./limits.ts";

interface AnyColumn {
  /** The column's name in messages, e.g. "title" in "has no title". */
  noun: string;
}

interface Optional {
  /** Whether every row has a value that isn't blank. In a column that isn't required, an empty field is stored as null. */
  isRequired?: boolean;
}

interface Limited {
  /** The maximum number of characters (code points). */
  maxLength: number;
}

interface TextColumn extends AnyColumn, Optional, Limited {
  type: "text";
}

/** Markdown, which readers see as HTML. It may contain the member's pictures. */
interface MarkdownColumn extends AnyColumn, Optional, Limited {
  type: "markdown";
}

interface CodeColumn extends AnyColumn, Optional, Limited {
  type: "code";
  /** The column with the code's language. */
  languageColumn: string;
}

/** A URL with a scheme that Markdown links allow, or a relative one. */
interface AddressColumn extends AnyColumn, Optional {
  type: "address";
}

interface ChoiceColumn extends AnyColumn, Optional {
  type: "choice";
  /** The allowed values, with the labels that forms show. */
  options: Record<string, string>;
}

/** A day without a time of day, in the form 2026-11-05. */
interface DateColumn extends AnyColumn, Optional {
  type: "date";
}

/** An integer. */
export interface NumberColumn extends AnyColumn, Optional {
  type: "number";
  min: number;
  max: number;
}

/** A boolean column. It is false by default. */
interface FlagColumn extends AnyColumn {
  type: "flag";
}

/** A list of strings. Forms show it as one comma-separated line of at most `maxLength` characters. */
export interface ListColumn extends AnyColumn, Limited {
  type: "list";
}

type StringColumn = TextColumn | MarkdownColumn | CodeColumn | AddressColumn | ChoiceColumn | DateColumn;

export type Column = StringColumn | NumberColumn | FlagColumn | ListColumn;

/** Picks a type by the type of a row's value. For `unknown`, the result is the union of all. */
export type ByType<Value, Flag, List, Number, String> = unknown extends Value
  ? Flag | List | Number | String
  : [NonNullable<Value>] extends [boolean]
    ? Flag
    : [NonNullable<Value>] extends [string[]]
      ? List
      : [NonNullable<Value>] extends [number]
        ? Number
        : String;

/** A column that may be null isn't required, and the others are. */
type Need<Value> = unknown extends Value
  ? unknown
  : null extends Value
    ? { isRequired?: false }
    : { isRequired: true };

/** The definitions of the columns for `Fields`. */
export type Columns<Fields> = {
  [Name in keyof Fields]: ByType<
    Fields[Name],
    FlagColumn,
    ListColumn,
    NumberColumn & Need<Fields[Name]>,
    StringColumn & Need<Fields[Name]>
  >;
};

/** The maximum number of characters of a column's text, or undefined if the column isn't text. */
export function maxLengthOf(column: Column): number | undefined {
  if (column.type === "address") return MAX_CHARACTERS.address;
  return "maxLength" in column ? column.maxLength : undefined;
}

/** Dates have years of four digits, as in `<input type="date">`. */
const FIRST_DAY = "0001-01-01";
const LAST_DAY = "9999-12-31";

/** Whether a text is a day of the calendar in the form 2026-11-05. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text < FIRST_DAY) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** Attributes of a form's field that make the browser apply the column's rules, with its own message. */
export function fieldAttributes(column: Column) {
  const { type } = column;
  const required = "isRequired" in column && column.isRequired === true;
  if (type === "choice") return { required, options: column.options };
  if (type === "date") return { required, type, min: FIRST_DAY, max: LAST_DAY };
  if (type === "number") return { required, type, min: column.min, max: column.max };
  if (type === "flag") return {};
  return { required, maxLength: maxLengthOf(column), ...(type === "address" && { type: "url" as const }) };
}
