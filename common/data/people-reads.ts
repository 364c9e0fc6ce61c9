import { isUuid, isValidSlug } from "./addresses.ts";
import type { DataClient } from "./client.ts";
import { type ContentTable, ownerOf } from "./content-reads.ts";
import type { SkillFields } from "./profile.ts";
import { ROWS_PER_READ, rowsOf } from "./rows-of.ts";
import type { Author, Authored, ContentRow, LinkedAuthor, Profile } from "./schema.ts";

export type Person = Omit<
  Profile,
  "featured" | "created_at" | "username_since" | "joined_at" | "left_at" | "unlisted_until"
> &
  LinkedAuthor & {
    /** Whether the member has left (contract, "Former members"). */
    isFormer: boolean;
  };

const PERSON =
  "id,username,full_name,bio,avatar_url,linkedin_url,current_title,company,years_experience,featured_skills,updated_at,left_at";

interface ListedOnly<Query> {
  not(column: "joined_at", operator: "is", value: null): Query;
  is(column: "left_at", value: null): Query;
  or(filters: string): Query;
}

/** Leaves out people who have never signed in, have left or are suspended, like `private.is_listed`. */
export const onlyListed = <Query extends ListedOnly<Query>>(profiles: Query): Query =>
  profiles
    .not("joined_at", "is", null)
    .is("left_at", null)
    .or("unlisted_until.is.null,unlisted_until.lte.now");

/**
 * Finds a person by username or id. A username belongs to the profile that has had it longest (contract). People who have
 * never signed in have no page.
 */
export async function findPerson(client: DataClient, nameOrId: string): Promise<Person | null> {
  const isId = isUuid(nameOrId);
  if (!isId && !isValidSlug(nameOrId)) return null;
  const profiles = client
    .from("profiles")
    .select(PERSON)
    .eq(isId ? "id" : "username", nameOrId)
    .not("joined_at", "is", null);
  const [found] = rowsOf(await profiles.order("username_since").order("created_at").order("id").limit(1));
  if (!found) return null;
  const { left_at, ...rest } = found;
  const person = { ...rest, isFormer: left_at !== null };
  const slug = isId ? (await findSlugs(client, [person]))(person) : nameOrId;
  return { ...person, slug };
}

/** Limits the length of a read's URL, which contains the usernames. */
const NAMES_PER_READ = 100;

type Named = Pick<Profile, "id" | "username">;

/** Returns a function that maps a person to their slug: the username if it belongs to them, otherwise the id. */
export async function findSlugs(client: DataClient, people: Named[]): Promise<(person: Named) => string> {
  const names = [...new Set(people.map(({ username }) => username).filter(isValidSlug))];
  const reads = [];
  for (let first = 0; first < names.length; first += NAMES_PER_READ) {
    const batch = names.slice(first, first + NAMES_PER_READ);
    const profiles = client.from("profiles").select("id,username").in("username", batch);
    reads.push(profiles.order("username_since").order("created_at").order("id").limit(ROWS_PER_READ));
  }
  const profiles = (await Promise.all(reads)).flatMap((response) => rowsOf(response));
  // Reverse the rows: the map keeps the last profile of each username, which must be the one that has had it longest.
  const owners = new Map(profiles.reverse().map(({ id, username }) => [username, id]));
  return ({ id, username }) => (username && owners.get(username) === id ? username : id);
}

/** Used if the usernames can't be read. The id always works in a profile URL. */
export const byId = ({ id }: Named) => id;

export async function withAuthors<Row extends ContentRow, By extends Author>(
  client: DataClient,
  kind: Pick<ContentTable, "ownerColumn">,
  items: Authored<Row, By>[],
): Promise<Authored<Row, By & LinkedAuthor>[]> {
  const authorOf = (item: Authored<Row, By>) => ({
    id: ownerOf(kind, item),
    username: item.profiles.username,
  });
  const slugOf = await findSlugs(client, items.map(authorOf)).catch(() => byId);
  return items.map((item) => ({
    ...item,
    profiles: { ...item.profiles, slug: slugOf(authorOf(item)) },
  }));
}

export async function skillsByProficiency(
  client: DataClient,
  profileId: string,
  limit = ROWS_PER_READ,
): Promise<SkillFields[]> {
  const skills = client
    .from("skills")
    .select("category,name,proficiency,years_experience")
    .eq("profile_id", profileId);
  const ordered = skills.order("proficiency", { ascending: false }).order("name").order("id");
  return rowsOf(await ordered.limit(limit));
}

const FEATURED = 3;
/** The maximum number of skills per professional on the home page. */
const MAX_SKILLS = 100;
const PROFESSIONAL =
  "id,username,full_name,bio,avatar_url,linkedin_url,current_title,company,years_experience";

export type ShownSkill = Omit<SkillFields, "years_experience"> & Partial<SkillFields>;

export type Professional = Omit<Person, "featured_skills" | "updated_at" | "isFormer"> & {
  skills: ShownSkill[];
};

/**
 * Returns up to three featured people, the most experienced first, each with their best skills first (specification §7,
 * calls 5 and 6).
 */
export async function featuredPeople(client: DataClient): Promise<Professional[]> {
  const featured = onlyListed(client.from("profiles").select(PROFESSIONAL).eq("featured", true)).order(
    "years_experience",
    { ascending: false, nullsFirst: false },
  );
  // Cut the rows again, in case a backend ignores the limit.
  const people = rowsOf(await featured.limit(FEATURED)).slice(0, FEATURED);
  const slugOf = findSlugs(client, people).catch(() => byId);
  return Promise.all(
    people.map(async (person) => {
      const skills = client.from("skills").select("category,name,proficiency").eq("profile_id", person.id);
      const best = skills.order("proficiency", { ascending: false }).limit(MAX_SKILLS);
      return {
        ...person,
        skills: rowsOf(await best),
        slug: (await slugOf)(person),
      };
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
  client: DataClient,
  { text, category, sort, cursor, size }: PeopleQuery,
): Promise<ListedPerson[]> {
  const query = {
    search_text: text,
    search_category: category,
    sort_by_name: sort === "name",
    ...(cursor && { cursor_key: cursor.key, cursor_id: cursor.id }),
    page_size: size,
  };
  const found = client.rpc("search_people", query);
  const people = rowsOf(await found.overrideTypes<Omit<ListedPerson, "slug">[], { merge: false }>());
  const slugOf = await findSlugs(client, people).catch(() => byId);
  return people.map((person) => ({ ...person, slug: slugOf(person) }));
}
