import { KINDS } from "../kinds/index.ts";
import type { KindDefinition } from "../kinds/kind-definition.ts";
import type { DataClient } from "./client.ts";
import { rowsOf } from "./reader.ts";
import { tableNamed } from "./table-named.ts";

/** A row of the region Your Items. */
export interface OwnItem {
  kind: KindDefinition;
  id: string;
  title: string;
  created_at: string;
  /** Null if items of this kind have no such state. */
  published: boolean | null;
}

export interface OwnItemsQuery {
  userId: string;
  /** A part of the title. */
  text: string;
  /** The table of a kind, or an empty string for all kinds. */
  table: string;
  state: "" | "published" | "unpublished";
  /** If set, only items after this one are returned. */
  after?: Pick<OwnItem, "created_at" | "id"> | undefined;
  size: number;
}

/** Returns a member's items of all kinds, newest first. Items with the same time are in the order of their ids. */
export async function readOwnItems(
  client: DataClient,
  { userId, text, table, state, after, size }: OwnItemsQuery,
): Promise<OwnItem[]> {
  const kinds = KINDS.filter(
    (kind) => (table === "" || kind.table === table) && (state === "" || kind.isPublishable),
  );
  const found = await Promise.all(
    kinds.map(async (kind): Promise<OwnItem[]> => {
      const columns = `id,title,created_at${kind.isPublishable ? ",published" : ""}`;
      let items = tableNamed(client, kind.table)
        .select<string, Omit<OwnItem, "kind" | "published"> & { published?: boolean }>(columns)
        .eq(kind.ownerColumn, userId);
      if (state !== "") items = items.eq("published", state === "published");
      if (text !== "") items = items.ilike("title", `%${text.replace(/[\\%_]/g, "\\$&")}%`);
      if (after) {
        const { created_at: time, id } = after;
        items = items.or(`created_at.lt."${time}",and(created_at.eq."${time}",id.gt.${id})`);
      }
      const rows = rowsOf(await items.order("created_at", { ascending: false }).order("id").limit(size));
      return rows.map((row) => ({ ...row, kind, published: row.published ?? null }));
    }),
  );
  return found.flat().sort(byTime).slice(0, size);
}

/** PostgREST writes all times in UTC, but with as many digits as needed, so they are compared as numbers first. */
function byTime(a: OwnItem, b: OwnItem): number {
  return (
    Date.parse(b.created_at) - Date.parse(a.created_at) ||
    b.created_at.localeCompare(a.created_at) ||
    (a.id < b.id ? -1 : 1)
  );
}

/** Publishes or unpublishes one item. Throws if the write failed. */
export async function setPublished(client: DataClient, { kind, id }: OwnItem, published: boolean) {
  await tableNamed(client, kind.table).update({ published }).eq("id", id).throwOnError();
}
