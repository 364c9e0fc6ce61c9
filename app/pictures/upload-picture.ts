import { StorageClient, type StorageError } from "@supabase/storage-js";
import { openAuth } from "../session/open-auth.ts";
import { fetchWithProgress } from "./fetch-with-progress.ts";
import type { FittedPicture, PictureUse } from "./fit-picture.ts";
import type { FitResult } from "./fit-worker.ts";
import { PictureError } from "./picture-error.ts";
import { BUCKET, PICTURE_TYPES, PUBLIC_PATH, picturePath } from "./picture-path.ts";

export interface UploadOptions {
  userId: string;
  use: PictureUse;
  /** A share between 0 and 1, once bytes are being sent. */
  onProgress(share: number): void;
  signal: AbortSignal;
}

const ONE_YEAR_SECONDS = "31536000";

/** Phones have little memory: one picture at a time is unpacked. */
let lastFit: Promise<unknown> = Promise.resolve();

/** Makes a file fit and uploads it. Resolves to its address. Throws PictureError, or the reason of `signal`. */
export async function uploadPicture(file: File, options: UploadOptions): Promise<string> {
  const { userId, use, onProgress, signal } = options;
  const fit = lastFit.catch(() => undefined).then(() => fitInWorker(file, use, signal));
  lastFit = fit;
  return storePicture(await fit, { userId, fetch: fetchWithProgress(onProgress, signal), signal });
}

interface StoreOptions {
  userId: string;
  fetch: typeof fetch;
  signal: AbortSignal;
}

async function storePicture(
  picture: FittedPicture,
  { userId, fetch, signal }: StoreOptions,
): Promise<string> {
  const path = picturePath({ userId, ...picture });
  const pictures = await openPictures(fetch);
  const { error } = await pictures.upload(path, picture.blob, {
    contentType: PICTURE_TYPES[picture.ending],
    cacheControl: ONE_YEAR_SECONDS,
    // The same name is the same picture.
    upsert: true,
  });
  signal.throwIfAborted();
  if (error) throw new PictureError(explain(error));
  return PUBLIC_PATH + path;
}

/** The bucket of the pictures, with the member's own rights. */
async function openPictures(fetch: typeof globalThis.fetch = globalThis.fetch) {
  const { origin, accessToken } = await openAuth();
  const headers = { apikey: origin.key, Authorization: `Bearer ${await accessToken()}` };
  return new StorageClient(`${origin.url}/storage/v1`, headers, (input, init) => fetch(input, init)).from(
    BUCKET,
  );
}

function explain(error: StorageError): string {
  const { status, statusCode } = error as StorageError & { status?: number; statusCode?: string };
  // These messages of the server explain what is wrong with the picture, or that there is no room for it.
  if (status === 400 && /^(413|415)$/.test(statusCode ?? "")) return `${error.message.replace(/\.$/, "")}.`;
  return "The picture could not be uploaded. Try again in a moment.";
}

function fitInWorker(file: File, use: PictureUse, signal: AbortSignal): Promise<FittedPicture> {
  signal.throwIfAborted();
  const worker = new Worker(new URL("./fit-worker.ts", import.meta.url), { type: "module" });
  return new Promise<FittedPicture>((resolve, reject) => {
    const unreadable = () => reject(new PictureError(`${file.name} cannot be read.`));
    signal.addEventListener("abort", () => reject(signal.reason));
    worker.onerror = unreadable;
    worker.onmessage = ({ data }: MessageEvent<FitResult>) => {
      if ("picture" in data) resolve(data.picture);
      else if (data.problem) reject(new PictureError(data.problem));
      else unreadable();
    };
    worker.postMessage({ file, use });
  }).finally(() => worker.terminate());
}
