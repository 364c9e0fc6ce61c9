import { isSegment, isUuid } from "./addresses.ts";
import { rowsOf } from "./answer.ts";
import type { DataClient } from "./client.ts";
import { type ContentRow, ownerOf, ROWS_PER_READ } from "./content-reads.ts";
import type { SkillFields } from "./profile.ts";
import type { Author, Authored, Profile, Writer } from "./schema.ts";

export type Person = Omit<Profile, "featured"> & Writer;

const PERSON =
  "id,username,full_name,bio,avatar_url,linkedin_url,current_title,company,years_experience,featured_skills,updated_at";

/** Of several who bear a username, the oldest. An id may not be their address. Throws ReadError. */
export async function findPerson(client: DataClient, nameOrId: string): Promise<Person | null> {
  const isId = isUuid(nameOrId);
  if (!isId && !isSegment(nameOrId)) return null;
  const found = client
    .from("profiles")
    .select(PERSON)
    .eq(isId ? "id" : "username", nameOrId);
  const [person] = rowsOf<Person>(await found.order("created_at").order("id").limit(1));
  if (!person) return null;
  const segments = isId ? await findSegments(client, [person]) : undefined;
  return { ...person, segment: segments?.get(person.id) ?? nameOrId };
}

/** So many usernames fit into an address. */
const NAMES_PER_READ = 100;

/** By id; an id is an address too, where very many bear the same usernames. Throws ReadError. */
async function findSegments(
  client: DataClient,
  people: Pick<Profile, "id" | "username">[],
): Promise<Map<string, string>> {
  const segments = new Map(people.map(({ id }) => [id, id]));
  const usernames = [...new Set(people.map(({ username }) => username).filter(isSegment))];
  const reads: Promise<void>[] = [];
  for (let first = 0; first < usernames.length; first += NAMES_PER_READ) {
    reads.push(findBearers(client, usernames.slice(first, first + NAMES_PER_READ), segments));
  }
  await Promise.all(reads);
  return segments;
}

async function findBearers(client: DataClient, usernames: string[], segments: Map<string, string>) {
  const bearers = await client
    .from("profiles")
    .select("id,username")
    .in("username", usernames)
    .order("created_at")
    .order("id")
    .limit(ROWS_PER_READ);
  const wanted = new Set(usernames);
  for (const { id, username } of rowsOf<Pick<Profile, "id" | "username">>(bearers)) {
    if (username && wanted.delete(username) && segments.has(id)) segments.set(id, username);
  }
}

const NO_SEGMENTS: ReadonlyMap<string, string> = new Map();

/** Everybody's page is found by their id as well: that is what they have where segments cannot be read. */
export async function withWriters<Row extends ContentRow, By extends Author>(
  client: DataClient,
  items: Authored<Row, By>[],
): Promise<Authored<Row, By & Writer>[]> {
  const authors = items.map((item) => ({ id: ownerOf(item), username: item.profiles.username }));
  const segments = await findSegments(client, authors).catch(() => NO_SEGMENTS);
  return items.map((item) => {
    const segment = segments.get(ownerOf(item)) ?? ownerOf(item);
    return { ...item, profiles: { ...item.profiles, segment } };
  });
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
const PROFESSIONAL =
  "id,username,full_name,bio,avatar_url,linkedin_url,current_title,company,years_experience";

type ShownSkill = Pick<SkillFields, "category" | "name" | "proficiency">;

export type Professional = Omit<Person, "featured_skills" | "updated_at"> & { skills: ShownSkill[] };

/** Most experienced first, each with their skills by proficiency (specification §7, calls 5 and 6). Throws ReadError. */
export async function featuredPeople(client: DataClient): Promise<Professional[]> {
  const featured = client
    .from("profiles")
    .select(PROFESSIONAL)
    .eq("featured", true)
    .order("years_experience", { ascending: false, nullsFirst: false });
  // A backend may ignore the limit.
  const people = rowsOf<Omit<Professional, "skills">>(await featured.limit(FEATURED)).slice(0, FEATURED);
  const segments = findSegments(client, people).catch(() => NO_SEGMENTS);
  return Promise.all(
    people.map(async (person) => {
      const skills = client.from("skills").select("category,name,proficiency").eq("profile_id", person.id);
      return {
        ...person,
        skills: rowsOf<ShownSkill>(await skills.order("proficiency", { ascending: false })),
        segment: (await segments).get(person.id) ?? person.id,
      };
    }),
  );
}
