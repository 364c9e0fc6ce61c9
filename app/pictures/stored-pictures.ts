import { StorageClient, type StorageError } from "@supabase/storage-js";
import { PictureError } from "../../common/pictures/picture-error.ts";
import { BUCKET, PICTURE_TYPES, PUBLIC_PATH, parsePicturePath } from "../../common/pictures/picture-path.ts";
import { fetchWithTimeout } from "../session/fetch-with-timeout.ts";
import { openAuth } from "../session/open-auth.ts";

export interface StoredPicture {
  /** The path in the bucket. */
  path: string;
  createdAt: string;
  bytes: number;
}

const ONE_YEAR_SECONDS = "31536000";
const PER_READ = 1_000;

/** Opens the bucket of pictures with the member's access token. */
async function openPictures(fetch = fetchWithTimeout) {
  const { origin, accessToken } = await openAuth();
  const headers = { apikey: origin.key, Authorization: `Bearer ${await accessToken()}` };
  return new StorageClient(`${origin.url}/storage/v1`, headers, (input, init) => fetch(input, init)).from(
    BUCKET,
  );
}

/** Uploads a picture, which may take long. Uploading it again changes nothing. Throws PictureError. */
export async function storePicture(
  path: string,
  blob: Blob,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<void> {
  const extension = parsePicturePath(path)?.extension ?? "webp";
  const pictures = await openPictures(fetch);
  const { error } = await pictures.upload(path, blob, {
    contentType: PICTURE_TYPES[extension],
    cacheControl: ONE_YEAR_SECONDS,
    upsert: true,
  });
  if (error) throw toPictureError(error);
}

/** Lists the member's pictures, newest first. Throws PictureError. */
export async function listPictures(userId: string): Promise<StoredPicture[]> {
  const bucket = await openPictures();
  const pictures: StoredPicture[] = [];
  for (;;) {
    const { data, error } = await bucket.list(userId, {
      limit: PER_READ,
      offset: pictures.length,
      sortBy: { column: "created_at", order: "desc" },
    });
    if (error) throw new PictureError("Your pictures could not be read. Try again in a moment.");
    for (const { name, created_at, metadata } of data) {
      const bytes = Number(metadata?.["size"] ?? 0);
      pictures.push({ path: `${userId}/${name}`, createdAt: created_at ?? "", bytes });
    }
    if (data.length < PER_READ) return pictures;
  }
}

/** Downloads a picture. Returns null if it doesn't exist. Throws if the server is down or busy. */
export async function readPicture(path: string): Promise<Blob | null> {
  const response = await fetchWithTimeout(PUBLIC_PATH + path);
  if (response.status >= 500 || response.status === 429) throw new Error("The picture could not be read");
  return response.ok ? response.blob() : null;
}

/** Deletes a picture. Throws PictureError. */
export async function deletePicture(path: string): Promise<void> {
  const bucket = await openPictures();
  const { error } = await bucket.remove([path]);
  if (error) throw new PictureError("The picture could not be deleted. Try again in a moment.");
}

function toPictureError(error: StorageError): PictureError {
  const { status, statusCode } = error as StorageError & { status?: number; statusCode?: string };
  const isRejected = status === 400;
  // Members can understand the server's messages for these codes: the picture is unsuitable, or no space is left.
  if (isRejected && /^(413|415)$/.test(statusCode ?? "")) {
    return new PictureError(`${error.message.replace(/\.$/, "")}.`, isRejected);
  }
  return new PictureError("The picture could not be uploaded. Try again in a moment.", isRejected);
}
