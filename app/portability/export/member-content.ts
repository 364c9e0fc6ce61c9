import { rowsOf } from "../../data/answer.ts";
import type { DataClient } from "../../data/client.ts";
import type { Article, CodeSample, Profile, Skill, UsefulLink } from "../../data/schema.ts";

type Created = { created_at: string };

export type MemberContent = Awaited<ReturnType<typeof readMemberContent>>;

/** One response carries 25 MB, and a row may have one. Hosted Supabase may cut a page shorter still. */
export const ROWS_PER_PAGE = 20;

export async function readMemberContent(data: DataClient, userId: string) {
  const [found] = await readOwn<Profile & Created>(data, "profiles", "id", userId);
  // On a hosted project an account may be older than its profile.
  const profile: Partial<Profile & Created> & Pick<Profile, "id"> = found ?? { id: userId };
  return {
    profile,
    skills: await readOwn<Skill & Created>(data, "skills", "profile_id", userId),
    articles: await readOwn<Article>(data, "articles", "author_id", userId),
    links: await readOwn<UsefulLink>(data, "useful_links", "profile_id", userId),
    samples: await readOwn<CodeSample>(data, "code_samples", "profile_id", userId),
  };
}

async function readOwn<Row extends Created & { id: string }>(
  data: DataClient,
  table: "profiles" | "skills" | "articles" | "useful_links" | "code_samples",
  owner: "id" | "author_id" | "profile_id",
  userId: string,
): Promise<Row[]> {
  const all: Row[] = [];
  while (true) {
    let page = data.from(table).select("*").filter(owner, "eq", userId).order("id").limit(ROWS_PER_PAGE);
    const last = all.at(-1);
    if (last) page = page.gt("id", last.id);
    const rows = rowsOf<Row>(await page);
    if (rows.length === 0) return all.sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
    all.push(...rows);
  }
}
