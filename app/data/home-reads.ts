import { rowsOf } from "./answer.ts";
import type { DataClient } from "./client.ts";
import type { Article, Authored, CodeSample, Profile, Skill, UsefulLink } from "./schema.ts";

// Specification §9. Cut here as well: a backend may ignore the limit.
const ARTICLES = 3;
const PROFILES = 3;
const ITEMS = 10;

/** Newest first, with their authors (specification §7, call 4). Throws ReadError. */
export async function latestArticles(client: DataClient): Promise<Authored<Article>[]> {
  return rowsOf<Authored<Article>>(
    await client
      .from("articles")
      .select("*,profiles(username,full_name)")
      .eq("published", true)
      .order("created_at", { ascending: false })
      .limit(ARTICLES),
  ).slice(0, ARTICLES);
}

/** Most experienced first, each with its skills by proficiency (specification §7, calls 5 and 6). Throws ReadError. */
export async function featuredProfiles(client: DataClient): Promise<(Profile & { skills: Skill[] })[]> {
  const profiles = rowsOf<Profile>(
    await client
      .from("profiles")
      .select("*")
      .eq("featured", true)
      .order("years_experience", { ascending: false, nullsFirst: false })
      .limit(PROFILES),
  ).slice(0, PROFILES);
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

export async function latestLinks(client: DataClient): Promise<UsefulLink[]> {
  return rowsOf<UsefulLink>(
    await client.from("useful_links").select("*").order("created_at", { ascending: false }).limit(ITEMS),
  ).slice(0, ITEMS);
}

export async function latestSamples(client: DataClient): Promise<CodeSample[]> {
  return rowsOf<CodeSample>(
    await client.from("code_samples").select("*").order("created_at", { ascending: false }).limit(ITEMS),
  ).slice(0, ITEMS);
}
