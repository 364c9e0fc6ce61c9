import { itemPath } from "../../common/data/addresses.ts";
import type { DataClient } from "../../common/data/client.ts";
import { columnOf } from "../../common/data/content-reads.ts";
import { readFitting, rowsOf } from "../../common/data/reader.ts";
import type { ContentRow } from "../../common/data/schema.ts";
import { tableNamed } from "../../common/data/table-named.ts";
import { KINDS } from "../../common/kinds/index.ts";
import { type KindDefinition, markdownColumns } from "../../common/kinds/kind-definition.ts";
import { PUBLIC_PATH } from "../../common/pictures/picture-path.ts";

export interface PictureUse {
  title: string;
  /** The path of the page that shows the picture. */
  path: string;
}

const PER_READ = 20;

/**
 * Returns the member's profile and the member's items that show the member's pictures, by picture path. Doesn't find uses
 * of these pictures on other members' pages.
 */
export async function readPictureUses(
  client: DataClient,
  userId: string,
): Promise<Map<string, PictureUse[]>> {
  const uses = new Map<string, PictureUse[]>();
  const add = (text: string, use: PictureUse) => {
    for (const [, path = ""] of text.matchAll(ADDRESS)) {
      const known = uses.get(path) ?? [];
      if (known.at(-1)?.path !== use.path) uses.set(path, [...known, use]);
    }
  };
  const [profile] = rowsOf(await client.from("profiles").select("avatar_url").eq("id", userId));
  add(profile?.avatar_url ?? "", { title: "Your portrait", path: `/profile/${userId}` });
  for (const kind of KINDS) {
    const columns = markdownColumns(kind);
    if (columns.length === 0) continue;
    for await (const row of itemsWithPictures(client, kind, columns, userId)) {
      const use = { title: row.title, path: itemPath(kind, row) };
      add(columns.map((name) => columnOf(row, name)).join("\n"), use);
    }
  }
  return uses;
}

/** Yields the member's items that show one of the member's pictures in Markdown, newest first. */
async function* itemsWithPictures(
  client: DataClient,
  { table, ownerColumn }: KindDefinition,
  columns: string[],
  userId: string,
): AsyncGenerator<ContentRow> {
  const selected = ["id", "title", ...columns].join();
  const hasPicture = columns.map((name) => `${name}.like.*${PUBLIC_PATH}${userId}/*`).join();
  for (let offset = 0; ; ) {
    const { rows, count } = await readFitting(PER_READ, async (limit) => {
      const uses = tableNamed(client, table)
        .select<string, ContentRow>(selected)
        .eq(ownerColumn, userId)
        .or(hasPicture)
        .order("created_at", { ascending: false })
        .order("id");
      return rowsOf(await uses.range(offset, offset + limit - 1));
    });
    yield* rows;
    if (rows.length < count) return;
    offset += count;
  }
}

const ADDRESS = new RegExp(`${PUBLIC_PATH}([\\w-]+/[\\w-]+\\.\\w+)`, "g");
