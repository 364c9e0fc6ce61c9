import { isUuid } from "../../common/data/addresses.ts";
import { OperatorError } from "../config/operator-error.ts";
import type { AdminClient } from "./admin-client.ts";

export interface StoredPicture {
  /** `{user id}/{name}`, which commands use as the picture's ID. */
  path: string;
  createdAt: string;
  bytes: number;
}

const PAGE_SIZE = 1_000;

/** Lists one member's pictures or, if `userId` is undefined, those of all members. Throws OperatorError. */
export async function allPictures(site: AdminClient, userId?: string): Promise<StoredPicture[]> {
  const all: StoredPicture[] = [];
  const folders = userId === undefined ? readFolder(site, "") : [{ name: userId }];
  for await (const { name: folder } of folders) {
    if (!isUuid(folder)) continue;
    for await (const { name, created_at, metadata } of readFolder(site, folder)) {
      const bytes = Number(metadata?.["size"] ?? 0);
      all.push({ path: `${folder}/${name}`, createdAt: created_at ?? "", bytes });
    }
  }
  return all;
}

async function* readFolder({ pictures }: AdminClient, folder: string) {
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const { data, error } = await pictures.list(folder, { limit: PAGE_SIZE, offset });
    if (error) throw new OperatorError(`The pictures could not be read: ${error.message}.`);
    yield* data;
    if (data.length < PAGE_SIZE) return;
  }
}

/** Returns the paths of the pictures that existed and were deleted. Throws OperatorError. */
export async function removePictures({ pictures }: AdminClient, paths: string[]): Promise<string[]> {
  const removed: string[] = [];
  for (let start = 0; start < paths.length; start += PAGE_SIZE) {
    const { data, error } = await pictures.remove(paths.slice(start, start + PAGE_SIZE));
    if (error) throw new OperatorError(`The pictures could not be removed: ${error.message}.`);
    removed.push(...data.map(({ name }) => name));
  }
  return removed;
}
