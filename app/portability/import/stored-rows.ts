import { rowsOf } from "../../data/answer.ts";
import type { DataClient } from "../../data/client.ts";
import type { ContentRow } from "../../data/content-reads.ts";
import { readProfile, readSkills } from "../../data/profile.ts";
import type { Profile, Skill } from "../../data/schema.ts";
import { ROWS_PER_PAGE } from "../export/member-content.ts";
import { idsOf } from "./ids.ts";
import type { FileContent, ItemTable } from "./items.ts";

export interface Stored {
  /** What stands under the ids of an import, by whomever. */
  items: Record<ItemTable, Map<string, ContentRow>>;
  profile: Profile | null;
  skills: Skill[];
}

export async function readStored(data: DataClient, content: FileContent, userId: string): Promise<Stored> {
  async function readItems(table: ItemTable): Promise<Map<string, ContentRow>> {
    const rows = new Map<string, ContentRow>();
    const items = content.items.filter((item) => item.table === table);
    const ids = [...new Set(items.flatMap((item) => idsOf(item, userId)))];
    for (let start = 0; start < ids.length; start += ROWS_PER_PAGE) {
      const some = ids.slice(start, start + ROWS_PER_PAGE);
      for (const row of rowsOf<ContentRow>(await data.from(table).select("*").in("id", some)))
        rows.set(row.id, row);
    }
    return rows;
  }
  return {
    items: {
      articles: await readItems("articles"),
      useful_links: await readItems("useful_links"),
      code_samples: await readItems("code_samples"),
    },
    profile: content.profile && (await readProfile(data, userId)),
    skills: content.skills ? await readSkills(data, userId) : [],
  };
}
