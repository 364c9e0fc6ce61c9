import { PictureError } from "../../common/pictures/picture-error.ts";
import { type FittedPicture, fitPicture, type PicturePurpose } from "./fit-picture.ts";

export type FitResult = { picture: FittedPicture } | { problem: string | null };

// Runs in a worker, because decoding and compressing a photo takes seconds on a phone.
addEventListener("message", async ({ data }: MessageEvent<{ file: File; purpose: PicturePurpose }>) => {
  let result: FitResult;
  try {
    result = { picture: await fitPicture(data.file, data.purpose) };
  } catch (error) {
    result = { problem: error instanceof PictureError ? error.message : null };
  }
  postMessage(result);
});
