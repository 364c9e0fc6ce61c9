import type { DataClient } from "../../common/data/client.ts";
import { readFitting, rowsOf } from "../../common/data/rows-of.ts";
import { PUBLIC_PATH } from "../../common/pictures/picture-path.ts";

export interface PictureUse {
  title: string;
  /** The path of the page that shows the picture. */
  path: string;
}

const PER_READ = 20;

/**
 * Returns the member's profile and articles that show the member's pictures, by picture path. Doesn't find uses of these
 * pictures on other members' pages.
 */
export async function readPictureUses(data: DataClient, userId: string): Promise<Map<string, PictureUse[]>> {
  const uses = new Map<string, PictureUse[]>();
  const add = (text: string, use: PictureUse) => {
    for (const [, path = ""] of text.matchAll(ADDRESS)) {
      const known = uses.get(path) ?? [];
      if (known.at(-1)?.path !== use.path) uses.set(path, [...known, use]);
    }
  };
  const [profile] = rowsOf<{ avatar_url: string | null }>(
    await data.from("profiles").select("avatar_url").eq("id", userId),
  );
  add(profile?.avatar_url ?? "", { title: "Your portrait", path: `/profile/${userId}` });
  for (let offset = 0; ; ) {
    const { rows, count } = await readFitting<{ id: string; title: string; content: string }>(
      PER_READ,
      (limit) =>
        data
          .from("articles")
          .select("id,title,content")
          .eq("author_id", userId)
          .like("content", `%${PUBLIC_PATH}${userId}/%`)
          .order("created_at", { ascending: false })
          .order("id")
          .range(offset, offset + limit - 1),
    );
    for (const { id, title, content } of rows) add(content, { title, path: `/articles/${id}` });
    if (rows.length < count) return uses;
    offset += count;
  }
}

const ADDRESS = new RegExp(`${PUBLIC_PATH}([0-9a-f-]{36}/[0-9a-f]{32}-\\d+x\\d+\\.\\w+)`, "g");
