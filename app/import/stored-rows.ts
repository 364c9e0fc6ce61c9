import { readProfile, readSkills } from "../../common/data/profile.ts";
import { readFitting, rowsOf } from "../../common/data/reader.ts";
import type { ContentRow, Profile, Skill } from "../../common/data/schema.ts";
import { tableNamed } from "../../common/data/table-named.ts";
import { KINDS } from "../../common/kinds/index.ts";
import type { KindDefinition } from "../../common/kinds/kind-definition.ts";
import { PUBLIC_PATH } from "../../common/pictures/picture-path.ts";
import { idsOf, spareIdsOf } from "./ids.ts";
import type { FileContent } from "./items.ts";
import type { ImportSite } from "./site.ts";

export interface Stored {
  /** The rows that have the ids of imported items, by table and id. They may belong to other members. */
  items: Record<string, Map<string, ContentRow>>;
  profile: Profile | null;
  skills: Skill[];
  /** The paths of the member's pictures. Empty if the import contains no pictures. */
  pictures: ReadonlySet<string>;
}

const ROWS_PER_READ = 20;

export async function readStored(
  { data, userId, pictures }: ImportSite,
  content: FileContent,
): Promise<Stored> {
  async function readItems({ table, ownerColumn }: KindDefinition): Promise<Map<string, ContentRow>> {
    const rows = new Map<string, ContentRow>();
    async function read(ids: string[]): Promise<void> {
      for (let start = 0; start < ids.length; ) {
        const { rows: found, count } = await readFitting(ROWS_PER_READ, async (limit) => {
          const wanted = tableNamed(data, table).select<string, ContentRow>("*");
          return rowsOf(await wanted.in("id", ids.slice(start, start + limit)));
        });
        for (const row of found) rows.set(row.id, row);
        start += count;
      }
    }
    const isOthers = (id: string) => {
      const row = rows.get(id);
      return row !== undefined && Reflect.get(row, ownerColumn) !== userId;
    };
    const items = content.items.filter((item) => item.table === table);
    await read([...new Set(items.flatMap((item) => idsOf(item, userId)))]);
    const blocked = items.filter((item) => idsOf(item, userId).every(isOthers));
    await read([...new Set(blocked.flatMap((item) => spareIdsOf(item, userId)))]);
    return rows;
  }
  const items: Stored["items"] = {};
  for (const kind of KINDS) items[kind.table] = await readItems(kind);
  const isMissingStored = ({ address }: { address: string }) => address.startsWith(PUBLIC_PATH);
  const hasPictures =
    content.otherUploads?.size ||
    content.items.some(({ uploads, missingPictures }) => uploads || missingPictures?.some(isMissingStored));
  return {
    items,
    profile: content.profile && (await readProfile(data, userId)),
    skills: content.skills ? await readSkills(data, userId) : [],
    pictures: new Set(hasPictures ? await pictures.list() : []),
  };
}
