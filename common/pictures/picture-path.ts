/** The contract's size limit for an uploaded picture. */
export const MAX_PICTURE_BYTES = 5 * 1024 * 1024;
export const BUCKET = "pictures";
/** The path prefix of picture URLs. It is on the site's own origin, even if a Supabase project stores the pictures. */
export const PUBLIC_PATH = `/storage/v1/object/public/${BUCKET}/`;

export const PICTURE_TYPES = {
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
  gif: "image/gif",
  avif: "image/avif",
} as const;

export type PictureExtension = keyof typeof PICTURE_TYPES;

export interface PictureFile {
  /** The first 32 hex digits of the SHA-256 of the bytes. */
  digest: string;
  width: number;
  height: number;
  extension: PictureExtension;
}

export interface PicturePath extends PictureFile {
  userId: string;
}

const PATH =
  /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/([0-9a-f]{32})-([1-9]\d{0,4})x([1-9]\d{0,4})\.(png|jpg|webp|gif|avif)$/;

/** Parses a path inside the bucket (contract, "Pictures"). Returns undefined for an invalid path. */
export function parsePicturePath(path: string): PicturePath | undefined {
  const [, userId, digest, width, height, extension] = PATH.exec(path) ?? [];
  if (userId === undefined || digest === undefined) return undefined;
  return {
    userId,
    digest,
    width: Number(width),
    height: Number(height),
    extension: extension as PictureExtension,
  };
}

/** Parses the URL of a picture on any Techfolio site. */
export function parsePictureAddress(address: string): PicturePath | undefined {
  const start = address.indexOf(PUBLIC_PATH);
  return start < 0 ? undefined : parsePicturePath(address.slice(start + PUBLIC_PATH.length));
}

export function pictureName({ digest, width, height, extension }: PictureFile): string {
  return `${digest}-${width}x${height}.${extension}`;
}

export function picturePath({ userId, ...file }: PicturePath): string {
  return `${userId}/${pictureName(file)}`;
}
