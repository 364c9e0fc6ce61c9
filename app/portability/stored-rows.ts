import { rowsOf } from "../data/answer.ts";
import type { DataClient } from "../data/client.ts";
import { OWNERS } from "../data/content-reads.ts";
import type { Profile, Skill } from "../data/schema.ts";
import { derivedId } from "./ids.ts";
import type { Fields, FileContent, FileItem, ItemTable } from "./items.ts";
import { ROWS_PER_PAGE } from "./member-content.ts";

/** What stands under an id: an item of one's own, or somebody else's. */
type StoredRow = { updated_at: string | null; fields: Fields[ItemTable] } | "taken";

export interface Stored {
  items: Record<ItemTable, Map<string, StoredRow>>;
  profile: Profile | null;
  skills: Skill[];
  /** Ids of skills that are somebody else's. */
  takenSkillIds: Set<string>;
}

type Table = ItemTable | "skills" | "profiles";
type AnyRow = { id: string; updated_at?: string | null } & Record<string, unknown>;

/** The backend reads no address of more than 8,192 characters. */
const IDS_PER_READ = 150;

interface LookUp {
  userId: string;
  content: FileContent;
  signal: AbortSignal;
  onRead(count: number): void;
}

/** Throws ReadError. */
export async function readStored(
  data: DataClient,
  { userId, content, signal, onRead }: LookUp,
): Promise<Stored> {
  let count = 0;
  async function read<Row = AnyRow>(table: Table, columns: string, ids: string[], by = "id") {
    const rows: Row[] = [];
    const size = columns === "*" ? ROWS_PER_PAGE : IDS_PER_READ;
    for (let start = 0; start < ids.length; start += size) {
      signal.throwIfAborted();
      const some = ids.slice(start, start + size);
      const answer = await data.from(table).select(columns).filter(by, "in", `(${some.join()})`);
      rows.push(...rowsOf<Row>(answer));
      count += some.length;
      onRead(count);
    }
    return rows;
  }

  async function readItems(table: ItemTable): Promise<Map<string, StoredRow>> {
    const found = await read(table, `id,${OWNERS[table]}`, idsIn(content.items, table, userId));
    const own = found.filter((row) => row[OWNERS[table]] === userId).map(({ id }) => id);
    const rows = await read(table, "*", own);
    const taken = found.map(({ id }) => [id, "taken"] as const);
    return new Map<string, StoredRow>([
      ...taken,
      ...rows.map((row) => [row.id, { updated_at: row.updated_at ?? null, fields: row as never }] as const),
    ]);
  }

  const { profile, skills } = content;
  const skillIds = (skills ?? []).flatMap(({ id }) => id ?? []);
  const skillsFound = await read<Skill>("skills", "id,profile_id", skillIds);
  return {
    items: {
      articles: await readItems("articles"),
      useful_links: await readItems("useful_links"),
      code_samples: await readItems("code_samples"),
    },
    profile: profile && ((await read<Profile>("profiles", "*", [userId]))[0] ?? null),
    skills: skills ? await read<Skill>("skills", "*", [userId], "profile_id") : [],
    takenSkillIds: new Set(skillsFound.filter((row) => row.profile_id !== userId).map(({ id }) => id)),
  };
}

/** All ids under which an import could find or put its items. */
function idsIn(items: FileItem[], table: ItemTable, userId: string): string[] {
  const ids = items
    .filter((item) => item.table === table)
    .flatMap(({ id, path }) => [...(id ? [id] : []), derivedId(userId, id ?? path)]);
  return [...new Set(ids)];
}
