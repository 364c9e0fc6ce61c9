import * as v from "valibot";
import { isUuid } from "../data/addresses.ts";
import type { SkillCategory } from "../data/schema.ts";
import { LANGUAGES, SKILL_CATEGORIES } from "../data/vocabulary.ts";
import { safeAddress } from "../ui/address.ts";
import { parseDate } from "./dates.ts";
import type { LeftOut } from "./left-out.ts";

const text = v.pipe(
  v.string(),
  v.check(
    (value) => value.isWellFormed() && !value.includes("\0"),
    "holds a character that cannot be stored (NUL or half a character)",
  ),
);
const title = v.pipe(text, v.nonEmpty("has no title"));
const optionalText = v.nullish(text, null);
const integer = (min: number, max: number) =>
  v.custom<number>((value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max);
const years = integer(0, 2 ** 31 - 1);
const orNull = <Schema extends v.GenericSchema>(schema: Schema) => v.fallback(v.nullable(schema), null);

/** What an item's columns hold, and why the database would refuse them. */
export const FIELDS = {
  articles: v.object({ title, content: v.pipe(text, v.nonEmpty("has no text")), published: v.boolean() }),
  useful_links: v.object({
    title,
    url: v.pipe(
      text,
      v.check((url) => safeAddress(url) !== "", "has no address that may be opened"),
    ),
    description: optionalText,
    category: v.pipe(text, v.nonEmpty("has no category")),
  }),
  code_samples: v.object({
    title,
    description: optionalText,
    code_content: v.pipe(text, v.nonEmpty("has no code")),
    language: v.pipe(
      text,
      v.check(
        (language) => Object.hasOwn(LANGUAGES, language),
        ({ input }) => `is in a language that this site does not have: ${input}`,
      ),
    ),
  }),
};

export const SKILL = v.object({
  category: v.picklist(Object.keys(SKILL_CATEGORIES) as SkillCategory[]),
  name: text,
  proficiency: integer(1, 5),
  years_experience: years,
});

export const PROFILE = v.object({
  username: optionalText,
  full_name: optionalText,
  bio: optionalText,
  avatar_url: optionalText,
  current_title: optionalText,
  company: optionalText,
  years_experience: v.nullish(years, null),
  featured: v.nullish(v.boolean(), false),
  linkedin_url: optionalText,
  featured_skills: v.nullish(v.array(text), []),
});

const time = orNull(v.pipe(v.string(), v.transform(parseDate)));

/** What a file says of an item beside its fields. */
export const ORIGIN = v.pipe(
  v.object({
    id: orNull(v.pipe(v.string(), v.check(isUuid), v.toLowerCase())),
    created_at: time,
    updated_at: time,
  }),
  v.transform(({ id, created_at, updated_at }) => ({ id, createdAt: created_at, updatedAt: updated_at })),
);

type Fields = { [Table in keyof typeof FIELDS]: v.InferOutput<(typeof FIELDS)[Table]> };
export type ItemTable = keyof Fields;

export interface FileItem<Table extends ItemTable = ItemTable> {
  table: Table;
  /** Where it stands: the file's path, below its archive's root. */
  source: string;
  /** A uuid in lower case; without one, `path` tells the item from others. */
  id: string | null;
  path: string;
  fields: Fields[Table];
  createdAt: string | null;
  updatedAt: string | null;
  /** What the member should know before they import it. */
  notes: string[];
}

type FileSkill = v.InferOutput<typeof SKILL> & { createdAt: string | null };

export interface FileContent {
  items: FileItem[];
  profile: v.InferOutput<typeof PROFILE> | null;
  skills: FileSkill[] | null;
  leftOut: LeftOut[];
}
