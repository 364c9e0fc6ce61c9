import { v5 } from "uuid";
import type { FileItem } from "./items.ts";

/** Returns the ids that an import may give an item: its own, and a UUIDv5 that stays the same if it is repeated. */
export function idsOf({ id, path }: Pick<FileItem, "id" | "path">, userId: string): string[] {
  return [...(id ? [id] : []), v5(id ?? path, userId)];
}
