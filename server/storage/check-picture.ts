import { createHash } from "node:crypto";
import { readPictureHeader } from "../../common/pictures/picture-header.ts";
import { type PicturePath, picturePath } from "../../common/pictures/picture-path.ts";
import { LIMITS } from "../config/limits.ts";
import { invalidRequest, unsupportedType } from "./storage-error.ts";

/** Checks that a picture has the digest, dimensions and type that its path states. Throws StorageError. */
export function checkPicture(bytes: Uint8Array, path: PicturePath): void {
  const header = readPictureHeader(bytes);
  if (header === undefined) throw unsupportedType("The file is not a PNG, JPEG, WebP, GIF or AVIF picture");
  const { extension, width, height } = header;
  if (width * height > LIMITS.picturePixels)
    throw unsupportedType("The picture has more than 25 million pixels");
  const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
  const expected = picturePath({ userId: path.userId, digest, width, height, extension });
  if (expected !== picturePath(path)) throw invalidRequest(`The name of this picture must be ${expected}`);
}
