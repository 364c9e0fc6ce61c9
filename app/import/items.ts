import * as v from "valibot";
import { isUuid } from "../../common/data/addresses.ts";
import {
  type Column,
  isDay,
  type ListColumn,
  maxLengthOf,
  type NumberColumn,
} from "../../common/data/columns.ts";
import { hasText } from "../../common/data/has-text.ts";
import type { SkillFields } from "../../common/data/profile.ts";
import { PROFILE_COLUMNS, SKILL_COLUMNS } from "../../common/data/profile-columns.ts";
import type { Profile } from "../../common/data/schema.ts";
import { kindOfTable } from "../../common/kinds/index.ts";
import { safeAddress } from "../../common/safe-address.ts";
import { parseDate } from "./article/dates.ts";
import type { SourceFile } from "./files/source-file.ts";
import type { LeftOut } from "./left-out.ts";
import type { PictureReferences } from "./text/picture-references.ts";

const orNull = <Schema extends v.GenericSchema>(schema: Schema) => v.fallback(v.nullable(schema), null);

const text = v.pipe(
  v.string(),
  v.check(
    (value) => value.isWellFormed() && !value.includes("\0"),
    "contains a character that cannot be stored (NUL or an unpaired surrogate)",
  ),
);

/** Checks a number of characters as the database does: it counts code points. */
const fits = (value: string, maxLength: number) =>
  value.length <= maxLength || Array.from(value).length <= maxLength;

const tooLong = (noun: string, maxLength: number) =>
  `has more than ${maxLength.toLocaleString("en")} characters in its ${noun}`;

/** Returns a schema with the rules that the database has for this column, and a message for each rule. */
function columnSchema(column: Column): v.GenericSchema {
  if (column.type === "flag") return v.nullish(v.boolean(), false);
  if (column.type === "list") return v.nullish(listSchema(column), []);
  const schema = column.type === "number" ? numberSchema(column) : textSchema(column);
  if (column.isRequired) return schema;
  if (!/^(choice|date|number)$/.test(column.type)) return v.nullish(schema, null);
  // The database has no empty text in these columns.
  const emptyAsNull = v.transform((value: unknown) => (value === "" ? null : value));
  return v.nullish(v.pipe(v.unknown(), emptyAsNull, v.nullable(schema)), null);
}

function textSchema(column: Exclude<Column, { type: "flag" | "list" | "number" }>) {
  const { type, noun, isRequired } = column;
  const maxLength = maxLengthOf(column);
  return v.pipe(
    text,
    v.check((value) => !maxLength || fits(value, maxLength), tooLong(noun, maxLength ?? 0)),
    v.check((value) => !isRequired || hasText(value), `has no ${noun}`),
    v.check(
      (value) => type !== "address" || value === "" || safeAddress(value) !== "",
      `has a URL scheme that is not allowed in its ${noun}`,
    ),
    v.check(
      (value) => column.type !== "choice" || Object.hasOwn(column.options, value),
      ({ input }) => `uses an unsupported ${noun}: ${input}`,
    ),
    v.check(
      (value) => type !== "date" || isDay(value),
      ({ input }) => `has a ${noun} that is not a day like 2026-11-05: ${input}`,
    ),
  );
}

function numberSchema({ noun, min, max }: NumberColumn) {
  return v.pipe(
    v.number(),
    v.check(
      (value) => Number.isInteger(value) && value >= min && value <= max,
      `has a number outside ${min} to ${max} in its ${noun}`,
    ),
  );
}

function listSchema({ noun, maxLength }: ListColumn) {
  return v.pipe(
    v.array(text),
    v.check((values) => fits(values.join(","), maxLength), tooLong(noun, maxLength)),
  );
}

type RowSchema<Row> = v.GenericSchema<unknown, Row> & { entries: object };

function rowSchema<Row>(columns: Record<string, Column>): RowSchema<Row> {
  const entries = Object.entries(columns).map(([name, column]) => [name, columnSchema(column)]);
  return v.object(Object.fromEntries(entries)) as unknown as RowSchema<Row>;
}

/** Throws if no kind of content uses the table. */
export const fieldsSchema = (table: string) => rowSchema<ItemFields>(kindOfTable(table).columns);

export const SKILL = rowSchema<SkillFields>(SKILL_COLUMNS);
export const PROFILE = rowSchema<Pick<Profile, keyof typeof PROFILE_COLUMNS>>(PROFILE_COLUMNS);

const time = orNull(v.pipe(v.string(), v.transform(parseDate)));

export const ORIGIN = v.pipe(
  v.object({
    id: orNull(v.pipe(v.string(), v.check(isUuid), v.toLowerCase())),
    created_at: time,
    updated_at: time,
  }),
  v.transform(({ id, created_at, updated_at }) => ({ id, createdAt: created_at, updatedAt: updated_at })),
);

type ItemFields = { title: string } & Record<string, unknown>;

export interface FileItem {
  table: string;
  /** The path of the file that contains the item. */
  source: string;
  /** A UUID in lower case, or another program's id. If it is null, `path` identifies the item. */
  id: string | null;
  path: string;
  fields: ItemFields;
  /** The field that makes the item unpublished, e.g. `draft: true`. Null if it is published. */
  unpublishedReason: string | null;
  createdAt: string | null;
  updatedAt: string | null;
  /** Whether the file contains a date in an unknown format. */
  hasUnreadableDate: boolean;
  /** The file's modification time. Null for an entry of a JSON list. */
  modifiedAt: string | null;
  notes: string[];
  /** The file's name without its date, and the front matter's `slug`. */
  names?: string[];
  /** The addresses in the front matter, by the `simplified` names of their fields. */
  oldAddresses?: { field: string; address: string }[];
  /** The places in the item's Markdown that may show pictures, by column. */
  references?: Map<string, PictureReferences>;
  /** The picture files that the item shows, by their URLs in the text. */
  pictures?: Map<string, SourceFile>;
  /** The URLs of pictures that were not found. */
  missingPictures?: { address: string; problem: "missing" | "ambiguous" }[];
  /** The pictures to upload, by their paths in the bucket. */
  uploads?: Map<string, Blob>;
  /** The linked articles of the import, by their addresses in the item's text. */
  linked?: Map<string, FileItem>;
}

type FileSkill = v.InferOutput<typeof SKILL> & { createdAt: string | null };

export interface FileContent {
  items: FileItem[];
  profile: v.InferOutput<typeof PROFILE> | null;
  skills: FileSkill[] | null;
  leftOut: LeftOut[];
  /** The file that the profile's `avatar_url` refers to. */
  portrait?: SourceFile;
  /** The pictures of a Techfolio download that no item shows. */
  otherPictures: SourceFile[];
  /** The portrait and the other pictures to upload, by their paths in the bucket. */
  otherUploads?: Map<string, Blob>;
}
