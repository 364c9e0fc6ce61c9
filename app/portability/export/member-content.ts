import type { DataClient } from "../../../common/data/client.ts";
import { readFitting, rowsOf } from "../../../common/data/reader.ts";
import type { ContentRow, Profile, Skill } from "../../../common/data/schema.ts";
import { tableNamed } from "../../../common/data/table-named.ts";
import { KINDS } from "../../../common/kinds/index.ts";

export type MemberContent = Awaited<ReturnType<typeof readMemberContent>>;

const ROWS_PER_PAGE = 20;

export async function readMemberContent(client: DataClient, userId: string) {
  const [stored] = await readOwn<Profile>(client, "profiles", "id", userId);
  // On hosted Supabase, an account may not have a profile yet. Its download then contains a profile with only an id.
  const profile: Partial<Profile> & Pick<Profile, "id"> = stored ?? { id: userId };
  const skills = await readOwn<Skill>(client, "skills", "profile_id", userId);
  /** The member's items, by table. */
  const items: Record<string, ContentRow[]> = {};
  for (const { table, ownerColumn } of KINDS)
    items[table] = await readOwn<ContentRow>(client, table, ownerColumn, userId);
  return { profile, skills, items };
}

async function readOwn<Row extends { id: string; created_at: string }>(
  client: DataClient,
  table: string,
  ownerColumn: string,
  userId: string,
): Promise<Row[]> {
  const all: Row[] = [];
  while (true) {
    const last = all.at(-1);
    const { rows } = await readFitting(ROWS_PER_PAGE, async (limit) => {
      const page = tableNamed(client, table)
        .select<string, Row>("*")
        .filter(ownerColumn, "eq", userId)
        .order("id")
        .limit(limit);
      return rowsOf(await (last ? page.gt("id", last.id) : page));
    });
    if (rows.length === 0) return all.sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
    all.push(...rows);
  }
}
