import { isUuid, isValidSlug } from "./addresses.ts";
import type { DataClient } from "./client.ts";
import { type ContentTable, callSearch, ownerOf, ROWS_PER_READ } from "./content-reads.ts";
import type { SkillFields } from "./profile.ts";
import { rowsOf } from "./rows-of.ts";
import type { Author, Authored, ContentRow, Profile, SkillCategory, Writer } from "./schema.ts";

export type Person = Omit<Profile, "featured"> & Writer;

const PERSON =
  "id,username,full_name,bio,avatar_url,linkedin_url,current_title,company,years_experience,featured_skills,updated_at";

/** A username belongs to the profile that has had it longest (contract). A person found by id may have another slug. */
export async function findPerson(client: DataClient, nameOrId: string): Promise<Person | null> {
  const isId = isUuid(nameOrId);
  if (!isId && !isValidSlug(nameOrId)) return null;
  const found = client
    .from("profiles")
    .select(PERSON)
    .eq(isId ? "id" : "username", nameOrId);
  const [person] = rowsOf<Person>(
    await found.order("username_since").order("created_at").order("id").limit(1),
  );
  if (!person) return null;
  const slug = isId ? (await findSlugs(client, [person]))(person) : nameOrId;
  return { ...person, slug };
}

/** This many usernames fit into a URL. */
const NAMES_PER_READ = 100;

type Named = Pick<Profile, "id" | "username">;

/** Falls back to the id if very many people share the same usernames. */
async function findSlugs(client: DataClient, people: Named[]): Promise<(person: Named) => string> {
  const names = [...new Set(people.map(({ username }) => username).filter(isValidSlug))];
  const reads = [];
  for (let first = 0; first < names.length; first += NAMES_PER_READ) {
    const some = names.slice(first, first + NAMES_PER_READ);
    const bearers = client.from("profiles").select("id,username").in("username", some);
    reads.push(bearers.order("username_since").order("created_at").order("id").limit(ROWS_PER_READ));
  }
  const bearers = (await Promise.all(reads)).flatMap((response) => rowsOf<Named>(response));
  // Reversed, so that the profile that has had a username longest stays in the map.
  const owners = new Map(bearers.reverse().map(({ id, username }) => [username, id]));
  return ({ id, username }) => (username && owners.get(username) === id ? username : id);
}

/** Falls back to the id, which always works as a profile URL. */
const byId = ({ id }: Named) => id;

export async function withWriters<Row extends ContentRow, By extends Author>(
  client: DataClient,
  kind: Pick<ContentTable, "owner">,
  items: Authored<Row, By>[],
): Promise<Authored<Row, By & Writer>[]> {
  const writerOf = (item: Authored<Row, By>) => ({
    id: ownerOf(kind, item),
    username: item.profiles.username,
  });
  const slugOf = await findSlugs(client, items.map(writerOf)).catch(() => byId);
  return items.map((item) => ({
    ...item,
    profiles: { ...item.profiles, slug: slugOf(writerOf(item)) },
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
  return rowsOf<SkillFields>(await ordered.limit(limit));
}

const FEATURED = 3;
/** Limits, so that one member's skills can't bloat the home page. */
const MAX_SKILLS = 100;
const SKILLS_CHARACTERS = 10_000;
const PROFESSIONAL =
  "id,username,full_name,bio,avatar_url,linkedin_url,current_title,company,years_experience";

export type ShownSkill = Omit<SkillFields, "years_experience"> & Partial<SkillFields>;

export type Professional = Omit<Person, "featured_skills" | "updated_at"> & { skills: ShownSkill[] };

/** Most experienced first, each with their skills by proficiency (specification §7, calls 5 and 6). */
export async function featuredPeople(client: DataClient): Promise<Professional[]> {
  const featured = client
    .from("profiles")
    .select(PROFESSIONAL)
    .eq("featured", true)
    .order("years_experience", { ascending: false, nullsFirst: false });
  // Some backends ignore the limit.
  const people = rowsOf<Omit<Professional, "skills">>(await featured.limit(FEATURED)).slice(0, FEATURED);
  const slugOf = findSlugs(client, people).catch(() => byId);
  return Promise.all(
    people.map(async (person) => {
      const skills = client.from("skills").select("category,name,proficiency").eq("profile_id", person.id);
      const best = skills.order("proficiency", { ascending: false }).limit(MAX_SKILLS);
      return {
        ...person,
        skills: upTo(SKILLS_CHARACTERS, rowsOf<ShownSkill>(await best)),
        slug: (await slugOf)(person),
      };
    }),
  );
}

function upTo(characters: number, skills: ShownSkill[]): ShownSkill[] {
  let left = characters;
  return skills.filter(({ name }) => {
    left -= name.length;
    return left >= 0;
  });
}

export interface PeopleQuery {
  text: string;
  /** An empty string means all categories. */
  category: SkillCategory | "";
  sort: "experience" | "name";
  cursor: { key: string; id: string } | null;
  size: number;
}

export interface ListedPerson
  extends Pick<Profile, "id" | "avatar_url" | "current_title" | "company" | "years_experience">,
    Writer {
  /** At most eight. Skills that match the search come first. */
  skills: ShownSkill[];
  /** The numbers of public items by table, at most 100 each. */
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
  const texts = [text, cursor?.key ?? ""];
  const people = await callSearch<Omit<ListedPerson, "slug">>(client, "search_people", query, texts);
  const slugOf = await findSlugs(client, people).catch(() => byId);
  return people.map((person) => ({ ...person, slug: slugOf(person) }));
}
