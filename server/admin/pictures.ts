import { OperatorError } from "../config/operator-error.ts";
import type { AdminClient } from "./admin-client.ts";

/** A picture as `public.list_pictures` describes it. */
export interface StoredPicture {
  /** `{user id}/{name}`, which commands use as the picture's ID. */
  path: string;
  created_at: string;
  bytes: number;
  /** Null if the owner's account no longer exists. */
  author_id: string | null;
  author: string;
}

export interface PictureQuery {
  search?: string | undefined;
  owner?: string | undefined;
  cursor?: Pick<StoredPicture, "created_at" | "path"> | undefined;
  size: number;
}

const PAGE_SIZE = 1_000;

/** Returns the newest pictures that are older than the cursor's. Throws OperatorError or PostgrestError. */
export async function listPictures(
  { data }: AdminClient,
  { search = "", owner, cursor, size }: PictureQuery,
): Promise<StoredPicture[]> {
  const { data: pictures } = await data
    .rpc("list_pictures", {
      search_text: search,
      page_size: size,
      ...(owner && { wanted_owner: owner }),
      ...(cursor && { cursor_time: cursor.created_at, cursor_path: cursor.path }),
    })
    .throwOnError();
  return pictures;
}

export async function allPictures(
  site: AdminClient,
  query: Omit<PictureQuery, "size" | "cursor">,
): Promise<StoredPicture[]> {
  const pictures: StoredPicture[] = [];
  for (;;) {
    const page = await listPictures(site, { ...query, cursor: pictures.at(-1), size: PAGE_SIZE });
    pictures.push(...page);
    if (page.length < PAGE_SIZE) return pictures;
  }
}

/** Returns the paths of the pictures that existed and were deleted. Throws OperatorError. */
export async function removePictures(
  { pictures }: Pick<AdminClient, "pictures">,
  paths: string[],
): Promise<string[]> {
  const removed: string[] = [];
  for (let start = 0; start < paths.length; start += PAGE_SIZE) {
    const { data, error } = await pictures.remove(paths.slice(start, start + PAGE_SIZE));
    // The error that our `fetch` threw.
    if (error && "originalError" in error && error.originalError instanceof OperatorError)
      throw error.originalError;
    if (error) throw new OperatorError(`The pictures could not be removed: ${error.message}.`);
    removed.push(...data.map(({ name }) => name));
  }
  return removed;
}
