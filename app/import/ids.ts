import { v5 } from "uuid";
import type { FileItem } from "./items.ts";

/**
 * Returns the ids that an import may give an item: its own, if it has one, and a UUIDv5. The UUIDv5 depends only on the
 * member and the item's id or path, so importing the file again finds the same row.
 */
export function idsOf({ id, path }: Pick<FileItem, "id" | "path">, userId: string): string[] {
  return [...(id ? [id] : []), v5(id ?? path, userId)];
}
