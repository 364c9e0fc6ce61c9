import { isDone } from "./answer.ts";
import type { DataClient } from "./client.ts";
import type { ContentRow, ContentTable } from "./content-reads.ts";

/** Specification §7, call 16. Null when the row was not stored; without an id where the answer names none. */
export async function saveItem(
  client: DataClient,
  table: ContentTable,
  row: Partial<ContentRow>,
): Promise<{ id?: string } | null> {
  const { data, error } = await client.from(table).upsert(row).select("id");
  return error ? null : (data?.[0] ?? {});
}

export async function deleteItem(client: DataClient, table: ContentTable, id: string): Promise<boolean> {
  return isDone(await client.from(table).delete().eq("id", id));
}
