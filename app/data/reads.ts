import type { DataClient } from "./client.ts";
import type { Article, Authored, CodeSample, Profile, Skill, UsefulLink } from "./schema.ts";

/** Hosted Supabase cuts a select at this many rows, so larger reads go in ranges. */
const ROWS_PER_READ = 1000;

interface Answer<Data> {
  data: Data | null;
  error: { message: string; code?: string } | null;
}

/** A read that the backend answered with an error: callers decide whether the page stays quiet. */
export class ReadError extends Error {
  override readonly name = "ReadError";
}

function rowsOf<Row>({ data, error }: Answer<Row[]>): Row[] {
  if (error) throw new ReadError(`${error.code ?? "no code"}: ${error.message}`);
  return data ?? [];
}

async function readAll<Row>(range: (from: number, to: number) => PromiseLike<Answer<Row[]>>): Promise<Row[]> {
  const all: Row[] = [];
  for (;;) {
    const rows = rowsOf(await range(all.length, all.length + ROWS_PER_READ - 1));
    all.push(...rows);
    if (rows.length < ROWS_PER_READ) return all;
  }
}

/** Returns the three newest published articles with their authors (specification §7, call 4). Throws ReadError. */
export async function latestArticles(client: DataClient): Promise<Authored<Article>[]> {
  return rowsOf<Authored<Article>>(
    await client
      .from("articles")
      .select("*,profiles(username,full_name)")
      .eq("published", true)
      .order("created_at", { ascending: false })
      .limit(3),
  );
}

/** Returns the three featured profiles with most experience, each with its skills by proficiency (§7, calls 5, 6). Throws ReadError. */
export async function featuredProfiles(client: DataClient): Promise<(Profile & { skills: Skill[] })[]> {
  const profiles = rowsOf<Profile>(
    await client
      .from("profiles")
      .select("*")
      .eq("featured", true)
      .order("years_experience", { ascending: false, nullsFirst: false })
      .limit(3),
  );
  return Promise.all(
    profiles.map(async (profile) => ({
      ...profile,
      skills: rowsOf<Skill>(
        await client
          .from("skills")
          .select("*")
          .eq("profile_id", profile.id)
          .order("proficiency", { ascending: false }),
      ),
    })),
  );
}

/** Returns the ten newest links (§7, call 7). Throws ReadError. */
export async function latestLinks(client: DataClient): Promise<UsefulLink[]> {
  return rowsOf<UsefulLink>(
    await client.from("useful_links").select("*").order("created_at", { ascending: false }).limit(10),
  );
}

/** Returns the ten newest code samples (§7, call 8). Throws ReadError. */
export async function latestSamples(client: DataClient): Promise<CodeSample[]> {
  return rowsOf<CodeSample>(
    await client.from("code_samples").select("*").order("created_at", { ascending: false }).limit(10),
  );
}

export type ContentTable = "articles" | "useful_links" | "code_samples";

/** A row of any of the three content tables. */
export type ContentRow = Article | UsefulLink | CodeSample;

/** Takes a content table, returns all its rows with their authors, newest first (§7, call 15). Throws ReadError. */
export function listContent(client: DataClient, table: ContentTable): Promise<Authored<ContentRow>[]> {
  return readAll<Authored<ContentRow>>((from, to) =>
    client
      .from(table)
      .select("*,profiles(username,full_name)")
      .order("created_at", { ascending: false })
      .order("id")
      .range(from, to),
  );
}
