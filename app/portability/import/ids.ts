import { v5 } from "uuid";
import type { FileItem } from "./items.ts";

/** Under which an import may store an item: its own, and one that is the same at every import (UUIDv5). */
export function idsOf({ id, path }: Pick<FileItem, "id" | "path">, userId: string): string[] {
  return [...(id ? [id] : []), v5(id ?? path, userId)];
}
