import { fetchWithProgress } from "./fetch-with-progress.ts";
import type { FittedPicture, PictureUse } from "./fit-picture.ts";
import type { FitResult } from "./fit-worker.ts";
import { PictureError } from "./picture-error.ts";
import { PUBLIC_PATH, picturePath } from "./picture-path.ts";
import { storePicture } from "./stored-pictures.ts";

export interface UploadOptions {
  userId: string;
  use: PictureUse;
  /** A share between 0 and 1, once bytes are being sent. */
  onProgress(share: number): void;
  signal: AbortSignal;
}

/** Phones have little memory: one picture at a time is unpacked. */
let lastFit: Promise<unknown> = Promise.resolve();

/** Makes a file fit and uploads it. Resolves to its address. Throws PictureError, or the reason of `signal`. */
export async function uploadPicture(file: File, options: UploadOptions): Promise<string> {
  const { userId, use, onProgress, signal } = options;
  const fit = lastFit.catch(() => undefined).then(() => fitInWorker(file, use, signal));
  lastFit = fit;
  const picture = await fit;
  const path = picturePath({ userId, ...picture });
  await storePicture(path, picture.blob, fetchWithProgress(onProgress, signal));
  signal.throwIfAborted();
  return PUBLIC_PATH + path;
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
