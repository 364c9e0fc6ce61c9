import type { DataClient } from "./client.ts";

/** Specification §7, call 16. To the row's id, unless the answer names none. Throws where nothing was stored. */
export async function saveItem(
  client: DataClient,
  table: string,
  row: Record<string, unknown>,
): Promise<string | undefined> {
  const { data } = await client.from(table).upsert(row).select("id").throwOnError();
  const saved: { id: string }[] = data ?? [];
  return saved[0]?.id;
}

/** Throws where nothing was deleted. */
export async function deleteItem(client: DataClient, table: string, id: string): Promise<void> {
  await client.from(table).delete().eq("id", id).throwOnError();
}
