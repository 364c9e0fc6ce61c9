import { isSegment, isUuid } from "./addresses.ts";
import { rowsOf } from "./answer.ts";
import type { DataClient } from "./client.ts";
import { type ContentTable, OWNERS, ROWS_PER_READ } from "./content-reads.ts";
import type { Article, CodeSample, Profile, Skill, UsefulLink } from "./schema.ts";

export type PublicProfile = Pick<
  Profile,
  | "id"
  | "username"
  | "bio"
  | "avatar_url"
  | "linkedin_url"
  | "current_title"
  | "company"
  | "years_experience"
  | "featured_skills"
  | "updated_at"
>;

export interface AddressedPerson {
  person: Profile;
  segment: string;
}

/** Of several who bear a username, the oldest. An id may not be their address. Throws ReadError. */
export async function findPerson(client: DataClient, nameOrId: string): Promise<AddressedPerson | null> {
  const profiles = client.from("profiles").select("*");
  if (isUuid(nameOrId)) {
    const person = rowsOf<Profile>(await profiles.eq("id", nameOrId))[0];
    if (!person) return null;
    const segments = await findSegments(client, [person]);
    return { person, segment: segments.get(person.id) ?? person.id };
  }
  if (!isSegment(nameOrId)) return null;
  const bearers = profiles.eq("username", nameOrId).order("created_at").order("id").limit(1);
  const person = rowsOf<Profile>(await bearers)[0];
  return person ? { person, segment: nameOrId } : null;
}

/** So many usernames fit into an address. */
const NAMES_PER_READ = 100;

/** By id; an id is an address too, where very many bear the same usernames. Throws ReadError. */
export async function findSegments(
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

export async function skillsByProficiency(client: DataClient, profileId: string): Promise<Skill[]> {
  const skills = client.from("skills").select("*").eq("profile_id", profileId);
  return rowsOf<Skill>(await skills.order("proficiency", { ascending: false }).order("name").order("id"));
}

export type ArticleEntry = Pick<Article, "id" | "title" | "created_at">;
export type LinkEntry = Pick<UsefulLink, "id" | "title" | "category">;
export type SampleEntry = Pick<CodeSample, "id" | "title" | "language">;

const ENTRIES = {
  articles: "id,title,created_at",
  useful_links: "id,title,category",
  code_samples: "id,title,language",
} as const;

async function newestBy<Entry>(client: DataClient, table: ContentTable, ownerId: string, limit: number) {
  let rows = client.from(table).select(ENTRIES[table]).filter(OWNERS[table], "eq", ownerId);
  if (table === "articles") rows = rows.filter("published", "eq", true);
  const answer = await rows.order("created_at", { ascending: false }).order("id").limit(limit);
  return rowsOf(answer as { data: Entry[] | null; error: typeof answer.error });
}

export const articlesBy = (client: DataClient, id: string, limit: number) =>
  newestBy<ArticleEntry>(client, "articles", id, limit);

export const linksBy = (client: DataClient, id: string, limit: number) =>
  newestBy<LinkEntry>(client, "useful_links", id, limit);

export const samplesBy = (client: DataClient, id: string, limit: number) =>
  newestBy<SampleEntry>(client, "code_samples", id, limit);

export async function moreBy(
  client: DataClient,
  { table, ownerId, except, limit }: { table: ContentTable; ownerId: string; except: string; limit: number },
): Promise<{ id: string; title: string }[]> {
  const items = await newestBy<{ id: string; title: string }>(client, table, ownerId, limit + 1);
  return items
    .filter(({ id }) => id !== except)
    .slice(0, limit)
    .map(({ id, title }) => ({ id, title }));
}
