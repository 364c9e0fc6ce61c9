import { isUuid } from "../../app/data/addresses.ts";
import { OperatorError } from "../config/operator-error.ts";
import type { AdminClient } from "./admin-client.ts";

export interface StoredPicture {
  /** `{user id}/{name}`, which also is the picture's ID in commands. */
  path: string;
  createdAt: string;
  bytes: number;
}

const PER_READ = 1_000;

/** The pictures of one member, or of all. Throws OperatorError. */
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
  for (let offset = 0; ; offset += PER_READ) {
    const { data, error } = await pictures.list(folder, { limit: PER_READ, offset });
    if (error) throw new OperatorError(`The pictures could not be read: ${error.message}.`);
    yield* data;
    if (data.length < PER_READ) return;
  }
}

/** The paths of the pictures that were deleted. Throws OperatorError. */
export async function removePictures({ pictures }: AdminClient, paths: string[]): Promise<string[]> {
  const removed: string[] = [];
  for (let start = 0; start < paths.length; start += PER_READ) {
    const { data, error } = await pictures.remove(paths.slice(start, start + PER_READ));
    if (error) throw new OperatorError(`The pictures could not be removed: ${error.message}.`);
    removed.push(...data.map(({ name }) => name));
  }
  return removed;
}
