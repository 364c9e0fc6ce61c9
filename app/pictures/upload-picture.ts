import { PUBLIC_PATH, picturePath } from "../../common/pictures/picture-path.ts";
import { fetchWithProgress } from "./fetch-with-progress.ts";
import { fitInWorker } from "./fit-in-worker.ts";
import type { PicturePurpose } from "./fit-picture.ts";
import { storePicture } from "./stored-pictures.ts";

export interface UploadOptions {
  userId: string;
  purpose: PicturePurpose;
  /** Called with the fraction of the bytes that have been sent, from 0 to 1. */
  onProgress(fraction: number): void;
  signal: AbortSignal;
}

/** Pictures are decoded one at a time, because phones have little memory. */
let lastFit: Promise<unknown> = Promise.resolve();

/** Shrinks a file if needed and uploads it. Resolves to its URL. Throws PictureError, or the signal's reason. */
export async function uploadPicture(file: File, options: UploadOptions): Promise<string> {
  const { userId, purpose, onProgress, signal } = options;
  const fit = lastFit.catch(() => undefined).then(() => fitInWorker(file, purpose, signal));
  lastFit = fit;
  const picture = await fit;
  const path = picturePath({ userId, ...picture });
  await storePicture(path, picture.blob, fetchWithProgress(onProgress, signal));
  signal.throwIfAborted();
  return PUBLIC_PATH + path;
}
