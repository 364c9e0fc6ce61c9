import type { DataClient } from "./client.ts";
import type { StoredRow } from "./schema.ts";
import { tableNamed } from "./table-named.ts";

/** Inserts or updates an item (specification §7, call 16). Throws if the write failed. */
export async function upsertItem(client: DataClient, table: string, row: StoredRow): Promise<void> {
  await tableNamed(client, table).upsert(row).throwOnError();
}

/** Returns the deleted row, or null if there was none. Throws if the deletion failed. */
export async function deleteRow(client: DataClient, table: string, id: string): Promise<StoredRow | null> {
  const { data } = await tableNamed(client, table).delete().eq("id", id).select().throwOnError();
  const rows: StoredRow[] = data ?? [];
  return rows[0] ?? null;
}
