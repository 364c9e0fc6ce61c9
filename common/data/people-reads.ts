import { isUuid, isValidSlug } from "./addresses.ts";
import { type ContentTable, ownerOf } from "./content-reads.ts";
import type { SkillFields } from "./profile.ts";
import { type DataReader, type Filter, ROWS_PER_READ, readRows } from "./reader.ts";
import type { Author, Authored, ContentRow, LinkedAuthor, Profile } from "./schema.ts";

export type Person = Omit<
  Profile,
  "featured" | "created_at" | "username_since" | "joined_at" | "left_at" | "unlisted_until"
> &
  LinkedAuthor & {
    /** Whether the member has left (contract, "Former members"). */
    isFormer: boolean;
  };

const PROFESSIONAL = [
  "id",
  "username",
  "full_name",
  "bio",
  "avatar_url",
  "linkedin_url",
  "current_title",
  "company",
  "years_experience",
] as const;
const PERSON = [...PROFESSIONAL, "featured_skills", "updated_at", "left_at"] as const;

type ProfileFilter = Filter<keyof Profile>;

const JOINED: ProfileFilter = { column: "joined_at", test: "is not null" };

/** Leaves out people who have never signed in, have left or are suspended, like `private.is_listed`. */
export const LISTED: readonly ProfileFilter[] = [
  JOINED,
  { column: "left_at", test: "is null" },
  {
    anyOf: [
      { column: "unlisted_until", test: "is null" },
      { column: "unlisted_until", test: "lte", value: "now" },
    ],
  },
];

/** The order of people with the same username: it belongs to the first one (contract). */
const BY_USERNAME_AGE = ["username_since", "created_at", "id"] as const;

/**
 * Finds a person by username or id. A username belongs to the profile that has had it longest (contract). People who have
 * never signed in have no page.
 */
export async function findPerson(reader: DataReader, nameOrId: string): Promise<Person | null> {
  const isId = isUuid(nameOrId);
  if (!isId && !isValidSlug(nameOrId)) return null;
  const [found] = await readRows(reader, "profiles", PERSON, {
    filters: [{ column: isId ? "id" : "username", test: "eq", value: nameOrId }, JOINED],
    order: BY_USERNAME_AGE,
    limit: 1,
  });
  if (!found) return null;
  const { left_at, ...rest } = found;
  const person = { ...rest, isFormer: left_at !== null };
  const slug = isId ? (await findSlugs(reader, [person]))(person) : nameOrId;
  return { ...person, slug };
}

/** Limits the length of a read's URL, which contains the usernames. */
const NAMES_PER_READ = 100;

type Named = Pick<Profile, "id" | "username">;

/** Returns a function that maps a person to their slug: the username if it belongs to them, otherwise the id. */
export async function findSlugs(reader: DataReader, people: Named[]): Promise<(person: Named) => string> {
  const names = [...new Set(people.map(({ username }) => username).filter(isValidSlug))];
  const reads = [];
  for (let first = 0; first < names.length; first += NAMES_PER_READ) {
    const values = names.slice(first, first + NAMES_PER_READ);
    const filters: ProfileFilter[] = [{ column: "username", test: "in", values }];
    const rest = { filters, order: BY_USERNAME_AGE, limit: ROWS_PER_READ };
    reads.push(readRows(reader, "profiles", ["id", "username"], rest));
  }
  const profiles = (await Promise.all(reads)).flat();
  // Reverse the rows: the map keeps the last profile of each username, which must be the one that has had it longest.
  const owners = new Map(profiles.reverse().map(({ id, username }) => [username, id]));
  return ({ id, username }) => (username && owners.get(username) === id ? username : id);
}

/** Used if the usernames can't be read. The id always works in a profile URL. */
export const byId = ({ id }: Named) => id;

export async function withAuthors<Row extends ContentRow, By extends Author>(
  reader: DataReader,
  kind: Pick<ContentTable, "ownerColumn">,
  items: Authored<Row, By>[],
): Promise<Authored<Row, By & LinkedAuthor>[]> {
  const authorOf = (item: Authored<Row, By>) => ({
    id: ownerOf(kind, item),
    username: item.profiles.username,
  });
  const slugOf = await findSlugs(reader, items.map(authorOf)).catch(() => byId);
  return items.map((item) => ({
    ...item,
    profiles: { ...item.profiles, slug: slugOf(authorOf(item)) },
  }));
}

export function skillsByProficiency(
  reader: DataReader,
  profileId: string,
  limit = ROWS_PER_READ,
): Promise<SkillFields[]> {
  return readRows(reader, "skills", ["category", "name", "proficiency", "years_experience"], {
    filters: [{ column: "profile_id", test: "eq", value: profileId }],
    order: [{ column: "proficiency", descending: true }, "name", "id"],
    limit,
  });
}

const FEATURED = 3;
/** The maximum number of skills per professional on the home page. */
const MAX_SKILLS = 100;

export type ShownSkill = Omit<SkillFields, "years_experience"> & Partial<SkillFields>;

export type Professional = Omit<Person, "featured_skills" | "updated_at" | "isFormer"> & {
  skills: ShownSkill[];
};

/**
 * Returns up to three featured people, the most experienced first, each with their best skills first (specification §7,
 * calls 5 and 6).
 */
export async function featuredPeople(reader: DataReader): Promise<Professional[]> {
  const featured = await readRows(reader, "profiles", PROFESSIONAL, {
    filters: [{ column: "featured", test: "eq", value: true }, ...LISTED],
    order: [{ column: "years_experience", descending: true, nullsLast: true }],
    limit: FEATURED,
  });
  // Cut the rows again, in case a backend ignores the limit.
  const people = featured.slice(0, FEATURED);
  const slugOf = findSlugs(reader, people).catch(() => byId);
  return Promise.all(
    people.map(async (person) => {
      const skills = readRows(reader, "skills", ["category", "name", "proficiency"], {
        filters: [{ column: "profile_id", test: "eq", value: person.id }],
        order: [{ column: "proficiency", descending: true }],
        limit: MAX_SKILLS,
      });
      return { ...person, skills: await skills, slug: (await slugOf)(person) };
    }),
  );
}

export interface PeopleQuery {
  text: string;
  /** An empty string means all categories. */
  category: string;
  sort: "experience" | "name";
  cursor: { key: string; id: string } | null;
  size: number;
}

export interface ListedPerson
  extends Pick<Profile, "id" | "avatar_url" | "current_title" | "company" | "years_experience">,
    LinkedAuthor {
  /** At most eight skills. Those that match the search come first. */
  skills: ShownSkill[];
  /** The number of public items in each table, counted up to 100. */
  published: Record<string, number>;
  sort_key: string;
}

/** Finds people by their names, title, company and skills (`public.search_people`). */
export async function searchPeople(
  reader: DataReader,
  { text, category, sort, cursor, size }: PeopleQuery,
): Promise<ListedPerson[]> {
  const query = {
    search_text: text,
    search_category: category,
    sort_by_name: sort === "name",
    ...(cursor && { cursor_key: cursor.key, cursor_id: cursor.id }),
    page_size: size,
  };
  const people = await reader.call<Omit<ListedPerson, "slug">>({
    function: "search_people",
    arguments: query,
  });
  const slugOf = await findSlugs(reader, people).catch(() => byId);
  return people.map((person) => ({ ...person, slug: slugOf(person) }));
}
