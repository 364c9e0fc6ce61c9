import { v5 } from "uuid";
import { isUuid } from "../../common/data/addresses.ts";
import type { FileItem } from "./items.ts";

/** The name of a page bundle's file. Without its folder, it doesn't distinguish one article from another. */
const NAME_OF_MANY = /^_?(?:index|readme)\.[^/]+$/i;

export const hasOwnPath = ({ id, path }: Pick<FileItem, "id" | "path">): boolean =>
  id !== null || !NAME_OF_MANY.test(path);

/**
 * Returns the ids that an import may give an item, in order of preference: a UUID from its file, and a UUIDv5 that depends
 * only on the member and what identifies the item. Importing the file again therefore finds the same row.
 */
export function idsOf(item: Pick<FileItem, "id" | "path" | "fields">, userId: string): string[] {
  const { id, path, fields } = item;
  if (id !== null) return [...(isUuid(id) ? [id] : []), v5(id, userId)];
  if (hasOwnPath(item)) return [v5(path, userId)];
  const titled = `${path}\n${fields.title}`;
  return [v5(titled, userId), v5(`${titled}\n${fields["content"]}`, userId)];
}

const SPARE_IDS = 20;

/**
 * Returns more ids for an item, for when other members' rows have all of `idsOf`: the ids are derived from public values,
 * so another member could take them. Each is derived from the one before.
 */
export function spareIdsOf(item: Pick<FileItem, "id" | "path" | "fields">, userId: string): string[] {
  const ids = idsOf(item, userId).slice(-1);
  for (let count = 0; count < SPARE_IDS; count++) ids.push(nextId(ids.at(-1) ?? "", userId));
  return ids.slice(1);
}

export const nextId = (id: string, userId: string): string => v5(id, userId);
