import { isDone } from "./answer.ts";
import type { DataClient } from "./client.ts";
import type { ContentRow, ContentTable } from "./content-reads.ts";

/**
 * Takes a table and the columns of a row, with its id when it is there already; returns whether it was stored
 * (specification §7, call 16).
 */
export async function saveItem(
  client: DataClient,
  table: ContentTable,
  row: Partial<ContentRow>,
): Promise<boolean> {
  return isDone(await client.from(table).upsert(row as never));
}

/** Takes a table and an id, returns whether that row was deleted (§7, call 17). */
export async function deleteItem(client: DataClient, table: ContentTable, id: string): Promise<boolean> {
  return isDone(await client.from(table).delete().eq("id", id));
}
