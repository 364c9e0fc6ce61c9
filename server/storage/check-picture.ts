import { createHash } from "node:crypto";
import { readPictureHeader } from "../../common/pictures/picture-header.ts";
import { PICTURE_TYPES, type PicturePath, picturePath } from "../../common/pictures/picture-path.ts";
import { LIMITS } from "../config/limits.ts";
import type { Upload } from "./read-upload.ts";
import { invalidRequest, unsupportedType } from "./storage-error.ts";

const TYPES: readonly string[] = Object.values(PICTURE_TYPES);

/**
 * Returns what the name of a picture states. Throws StorageError if the file isn't a picture, or if `name` isn't that of
 * its bytes in the member's folder.
 */
export function checkPicture({ bytes, type }: Upload, userId: string, name: string): PicturePath {
  const header = readPictureHeader(bytes);
  if (header === undefined) throw notAPicture(type);
  const { extension, width, height } = header;
  if (width * height > LIMITS.picturePixels)
    throw unsupportedType("The picture has more than 25 million pixels");
  const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
  const path = { userId, digest, width, height, extension };
  const expected = picturePath(path);
  if (expected !== name) throw invalidRequest(`The name of this picture must be ${expected}`);
  return path;
}

function notAPicture(type: string) {
  return type === "" || TYPES.includes(type)
    ? unsupportedType("The file is not a PNG, JPEG, WebP, GIF or AVIF picture")
    : unsupportedType(`mime type ${type.slice(0, 100)} is not supported`);
}
