import type { DataClient } from "./client.ts";
import type { ContentRow, ContentTable } from "./content-reads.ts";

/** Specification §7, call 16. To the row's id, unless the answer names none. Throws where nothing was stored. */
export async function saveItem(
  client: DataClient,
  table: ContentTable,
  row: Partial<ContentRow>,
): Promise<string | undefined> {
  const { data } = await client.from(table).upsert(row).select("id").throwOnError();
  const saved: { id: string }[] = data ?? [];
  return saved[0]?.id;
}

/** Throws where nothing was deleted. */
export async function deleteItem(client: DataClient, table: ContentTable, id: string): Promise<void> {
  await client.from(table).delete().eq("id", id).throwOnError();
}
