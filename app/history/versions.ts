import type { DataClient } from "../../common/data/client.ts";
import { type ContentTable, readItem } from "../../common/data/content-reads.ts";
import { readerOf } from "../../common/data/postgrest-reader.ts";
import { ROWS_PER_READ, rowsOf } from "../../common/data/reader.ts";
import type { StoredRow } from "../../common/data/schema.ts";
import { tableNamed } from "../../common/data/table-named.ts";

/**
 * Describes a row of `public.versions`, which keeps an item as it was before an update or a deletion.
 * Members can read only their own versions.
 */
export interface Version {
  id: string;
  item_table: string;
  item_id: string;
  title: string;
  replaced_at: string;
}

const LISTED = "id,item_table,item_id,title,replaced_at";

/** Returns the versions of an item, newest first. */
export async function readVersions(client: DataClient, itemId: string): Promise<Version[]> {
  const versions = client.from("versions").select(LISTED).eq("item_id", itemId);
  return rowsOf(await versions.order("replaced_at", { ascending: false }));
}

/** Returns the whole row of a version, or null if the database no longer keeps it. */
export async function readVersionRow(client: DataClient, id: string): Promise<StoredRow | null> {
  return (await readVersionRows(client, [id])).get(id) ?? null;
}

/** Returns the whole rows of several versions by the versions' ids, without those that the database no longer keeps. */
export async function readVersionRows(client: DataClient, ids: string[]): Promise<Map<string, StoredRow>> {
  const rows = rowsOf(await client.from("versions").select("id,item").in("id", ids));
  // A trigger writes the whole row as a JSON object.
  return new Map(rows.map(({ id, item }) => [id, item as unknown as StoredRow]));
}

const DELETED_DAYS = 30;

/** Returns all items that the member deleted in the last 30 days and has not restored, newest deletion first. */
export async function readDeleted(client: DataClient, tables: string[]): Promise<Version[]> {
  const since = new Date(Date.now() - DELETED_DAYS * 24 * 60 * 60 * 1_000).toISOString();
  const versions: Version[] = [];
  let page: Version[];
  do {
    const deletions = client.from("versions").select(LISTED).eq("is_deletion", true).gt("replaced_at", since);
    const ordered = deletions.order("replaced_at", { ascending: false }).order("id");
    page = rowsOf(await ordered.range(versions.length, versions.length + ROWS_PER_READ - 1));
    versions.push(...page);
  } while (page.length === ROWS_PER_READ);
  const ids = new Set<string>();
  const lastDeletions = versions.filter(({ item_id }) => !ids.has(item_id) && ids.add(item_id));
  const present = await Promise.all(tables.map((table) => presentIds(client, table, lastDeletions)));
  const restored = new Set(present.flat());
  return lastDeletions.filter(({ item_id }) => !restored.has(item_id));
}

/** Keeps the URL of a read, which contains the ids, below the built-in data API's limit of 8,192 characters. */
const IDS_PER_READ = 100;

/** Returns the ids of those deleted items that exist again. */
async function presentIds(client: DataClient, table: string, deleted: Version[]): Promise<string[]> {
  const ids = deleted.filter(({ item_table }) => item_table === table).map(({ item_id }) => item_id);
  const present: string[] = [];
  for (let start = 0; start < ids.length; start += IDS_PER_READ) {
    const some = ids.slice(start, start + IDS_PER_READ);
    const rows = rowsOf(await tableNamed(client, table).select<string, { id: string }>("id").in("id", some));
    present.push(...rows.map(({ id }) => id));
  }
  return present;
}

/** `present` means that the member already has the row; `taken` means that another member has a row with this id. */
export type RestoreOutcome = "restored" | "present" | "taken" | "failed";

const UNIQUE_VIOLATION = "23505";

/** Inserts a deleted row again, with its id and its creation date. Never throws and never overwrites a row. */
export async function restoreRow(
  client: DataClient,
  { table, ownerColumn }: Pick<ContentTable, "table" | "ownerColumn">,
  row: StoredRow,
): Promise<RestoreOutcome> {
  try {
    const { error } = await tableNamed(client, table).insert(row);
    if (!error) return "restored";
    if (error.code !== UNIQUE_VIOLATION) return "failed";
    const existing = await readItem<StoredRow>(readerOf(client), table, row.id, {
      columns: [ownerColumn],
    });
    return existing?.[ownerColumn] === row[ownerColumn] ? "present" : "taken";
  } catch {
    return "failed";
  }
}
