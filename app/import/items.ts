import * as v from "valibot";
import { isUuid } from "../../common/data/addresses.ts";
import type { SkillCategory } from "../../common/data/schema.ts";
import { SKILL_CATEGORIES } from "../../common/data/vocabulary.ts";
import { KINDS } from "../../common/kinds/index.ts";
import type { Column, KindDefinition } from "../../common/kinds/kind-definition.ts";
import { safeAddress } from "../../common/safe-address.ts";
import { parseDate } from "./article/dates.ts";
import type { SourceFile } from "./files/source-file.ts";
import type { LeftOut } from "./left-out.ts";

const text = v.pipe(
  v.string(),
  v.check(
    (value) => value.isWellFormed() && !value.includes("\0"),
    "contains a character that cannot be stored (NUL or an unpaired surrogate)",
  ),
);
/** Counts code points, as the database does. */
const isShort = (value: string) => Array.from(value).length <= 10_000;
const tooLong = (noun: string) => `has more than 10,000 characters in its ${noun}`;
const shortText = (noun: string) => v.pipe(text, v.check(isShort, tooLong(noun)));
const optionalText = v.nullish(text, null);
const optionalShortText = (noun: string) => v.nullish(shortText(noun), null);
const integer = (min: number, max: number) =>
  v.custom<number>((value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max);
const years = integer(0, 2 ** 31 - 1);
const orNull = <Schema extends v.GenericSchema>(schema: Schema) => v.fallback(v.nullable(schema), null);

/** Checks the rules of a column that the database enforces, with a message for each rule. */
function columnSchema(column: Column): v.GenericSchema {
  if (column.type === "flag") return v.boolean();
  if (column.type === "list") return v.nullish(v.array(text), []);
  const { noun, isShort, isRequired, isAddress, options } = column;
  const checked = v.pipe(
    isShort ? shortText(noun) : text,
    v.check((value) => !isRequired || value.trim() !== "", `has no ${noun}`),
    v.check(
      (value) => !isAddress || safeAddress(value) !== "",
      `has a URL scheme that is not allowed in its ${noun}`,
    ),
    v.check(
      (value) => !options || Object.hasOwn(options, value),
      ({ input }) => `uses an unsupported ${noun}: ${input}`,
    ),
  );
  return isRequired ? checked : v.nullish(checked, null);
}

type FieldsSchema = v.GenericSchema<unknown, ItemFields> & { entries: object };

const schemas = new Map(KINDS.map(({ table, columns }) => [table, schemaOf(columns)]));

function schemaOf(columns: KindDefinition["columns"]): FieldsSchema {
  const entries = Object.entries(columns).map(([name, column]) => [name, columnSchema(column)]);
  return v.object(Object.fromEntries(entries)) as unknown as FieldsSchema;
}

/** Throws if no kind of content uses the table. */
export function fieldsSchema(table: string): FieldsSchema {
  const schema = schemas.get(table);
  if (!schema) throw new Error(`No kind of content uses the table ${table}`);
  return schema;
}

export const SKILL = v.object({
  category: v.picklist(Object.keys(SKILL_CATEGORIES) as SkillCategory[]),
  name: shortText("name"),
  proficiency: integer(1, 5),
  years_experience: years,
});

export const PROFILE = v.object({
  username: optionalShortText("username"),
  full_name: optionalShortText("full name"),
  bio: optionalText,
  avatar_url: optionalShortText("avatar URL"),
  current_title: optionalShortText("current title"),
  company: optionalShortText("company"),
  years_experience: v.nullish(years, null),
  featured: v.nullish(v.boolean(), false),
  linkedin_url: optionalShortText("LinkedIn URL"),
  featured_skills: v.nullish(
    v.pipe(
      v.array(text),
      v.check((skills) => isShort(skills.join("")), tooLong("featured skills")),
    ),
    [],
  ),
});

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
  /** A UUID in lower case. If it is null, `path` identifies the item. */
  id: string | null;
  path: string;
  fields: ItemFields;
  /** What makes the item unpublished, e.g. `draft: true`. Null if it is published. */
  unpublishedReason: string | null;
  createdAt: string | null;
  updatedAt: string | null;
  /** The file's modification time. Null for an entry of a JSON list. */
  modifiedAt: string | null;
  notes: string[];
  /** The picture files that the text shows, by their URLs in the text. */
  pictures?: Map<string, SourceFile>;
  /** The pictures to upload, by their paths in the bucket. */
  uploads?: Map<string, Blob>;
}

type FileSkill = v.InferOutput<typeof SKILL> & { createdAt: string | null };

export interface FileContent {
  items: FileItem[];
  profile: v.InferOutput<typeof PROFILE> | null;
  skills: FileSkill[] | null;
  leftOut: LeftOut[];
  /** The file that the profile's `avatar_url` refers to. */
  avatar?: SourceFile;
  /** The profile picture to upload, by its path in the bucket. */
  avatarUpload?: Map<string, Blob>;
}
