import { v5 } from "uuid";
import type { FileItem } from "./items.ts";

/** The ids that an import may give an item: its own id, and a UUIDv5 that is the same for every import. */
export function idsOf({ id, path }: Pick<FileItem, "id" | "path">, userId: string): string[] {
  return [...(id ? [id] : []), v5(id ?? path, userId)];
}
