import * as v from "valibot";
import { isUuid } from "../../data/addresses.ts";
import type { SkillCategory } from "../../data/schema.ts";
import { LANGUAGES, SKILL_CATEGORIES } from "../../data/vocabulary.ts";
import { safeAddress } from "../../ui/address.ts";
import { parseDate } from "./article/dates.ts";
import type { LeftOut } from "./left-out.ts";

const text = v.pipe(
  v.string(),
  v.check(
    (value) => value.isWellFormed() && !value.includes("\0"),
    "holds a character that cannot be stored (NUL or half a character)",
  ),
);
/** The database counts code points. */
const isShort = (value: string) => Array.from(value).length <= 10_000;
const tooLong = (name: string) => `has ${name} of more than 10,000 characters`;
const shortText = (name: string) => v.pipe(text, v.check(isShort, tooLong(name)));
const title = v.pipe(shortText("a title"), v.nonEmpty("has no title"));
const optionalText = v.nullish(text, null);
const optionalShortText = (name: string) => v.nullish(shortText(name), null);
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
      shortText("an address"),
      v.check((url) => safeAddress(url) !== "", "has no address that may be opened"),
    ),
    description: optionalText,
    category: v.pipe(shortText("a category"), v.nonEmpty("has no category")),
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
  name: shortText("a name"),
  proficiency: integer(1, 5),
  years_experience: years,
});

export const PROFILE = v.object({
  username: optionalShortText("a username"),
  full_name: optionalShortText("a full name"),
  bio: optionalText,
  avatar_url: optionalShortText("an avatar URL"),
  current_title: optionalShortText("a current title"),
  company: optionalShortText("a company"),
  years_experience: v.nullish(years, null),
  featured: v.nullish(v.boolean(), false),
  linkedin_url: optionalShortText("a LinkedIn URL"),
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
  notes: string[];
}

type FileSkill = v.InferOutput<typeof SKILL> & { createdAt: string | null };

export interface FileContent {
  items: FileItem[];
  profile: v.InferOutput<typeof PROFILE> | null;
  skills: FileSkill[] | null;
  leftOut: LeftOut[];
}
