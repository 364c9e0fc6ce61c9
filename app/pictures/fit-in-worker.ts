import { PictureError } from "../../common/pictures/picture-error.ts";
import type { FittedPicture, PicturePurpose } from "./fit-picture.ts";
import type { FitResult } from "./fit-worker.ts";

/** Runs `fitPicture` in a worker, so that the page stays responsive. Throws PictureError, or the signal's reason. */
export function fitInWorker(
  file: File,
  purpose: PicturePurpose,
  signal: AbortSignal,
): Promise<FittedPicture> {
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
    worker.postMessage({ file, purpose });
  }).finally(() => worker.terminate());
}
