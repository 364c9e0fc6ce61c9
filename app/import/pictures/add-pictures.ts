import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { PictureError } from "../../../common/pictures/picture-error.ts";
import { readPictureHeader } from "../../../common/pictures/picture-header.ts";
import { PICTURE_TYPES, PUBLIC_PATH, picturePath } from "../../../common/pictures/picture-path.ts";
import type { SourceFile } from "../files/source-file.ts";
import type { FileContent } from "../items.ts";
import { ReadError } from "../left-out.ts";
import type { FittedPicture, ImportSite } from "../site.ts";

const MAX_BYTES = 60 * 1024 * 1024;

/**
 * Prepares the pictures of imported items and the profile picture for upload, and replaces their URLs with the URLs
 * that they will have on this site. A picture that can't be used keeps its URL, and its item, if any, gets a note.
 */
export async function addPictures(
  content: FileContent,
  userId: string,
  fitPicture: ImportSite["pictures"]["fit"],
): Promise<void> {
  const prepared = new Map<SourceFile, Promise<FittedPicture>>();
  const prepare = (file: SourceFile): Promise<FittedPicture> => {
    const known = prepared.get(file) ?? prepareFile(file, fitPicture);
    prepared.set(file, known);
    return known;
  };
  const pathOf = (picture: FittedPicture) => picturePath({ userId, ...picture });

  for (const item of content.items) {
    const addresses = new Map<string, string>();
    const uploads = new Map<string, Blob>();
    for (const [address, file] of item.pictures ?? []) {
      try {
        const picture = await prepare(file);
        addresses.set(address, PUBLIC_PATH + pathOf(picture));
        uploads.set(pathOf(picture), picture.blob);
      } catch (error) {
        item.notes.push(`the picture ${file.path} is left out: ${errorMessage(error)}`);
      }
    }
    if (addresses.size === 0) continue;
    for (const [column, references] of item.references ?? [])
      item.fields[column] = references.replace((address) => addresses.get(address));
    item.uploads = uploads;
  }

  const { profile, portrait, otherPictures } = content;
  const uploads = new Map<string, Blob>();
  for (const file of [...(portrait ? [portrait] : []), ...otherPictures]) {
    try {
      const picture = await prepare(file);
      uploads.set(pathOf(picture), picture.blob);
      if (file === portrait && profile) profile.avatar_url = PUBLIC_PATH + pathOf(picture);
    } catch (error) {
      content.leftOut.push({ source: file.path, reason: `is left out: ${errorMessage(error)}` });
    }
  }
  content.otherUploads = uploads;
}

async function prepareFile(
  file: SourceFile,
  fitPicture: ImportSite["pictures"]["fit"],
): Promise<FittedPicture> {
  if (file.size > MAX_BYTES) throw new ReadError("it is too large");
  const bytes = new Uint8Array(await file.read());
  const name = file.path.split("/").at(-1) ?? "";
  // A file that is named after its own digest and dimensions is from a Techfolio download, and is uploaded unchanged.
  const header = readPictureHeader(bytes);
  const digest = bytesToHex(sha256(bytes)).slice(0, 32);
  if (header && name === `${digest}-${header.width}x${header.height}.${header.extension}`) {
    return { ...header, digest, blob: new Blob([bytes], { type: PICTURE_TYPES[header.extension] }) };
  }
  return fitPicture(new File([bytes], name));
}

function errorMessage(error: unknown): string {
  return error instanceof PictureError || error instanceof ReadError ? error.message : "it cannot be read";
}
