import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { PictureError } from "../../common/pictures/picture-error.ts";
import { type PictureHeader, readPictureHeader } from "../../common/pictures/picture-header.ts";
import {
  MAX_PICTURE_BYTES,
  PICTURE_TYPES,
  type PictureExtension,
  type PictureFile,
} from "../../common/pictures/picture-path.ts";

export type PicturePurpose = "text" | "avatar";

export interface FittedPicture extends PictureFile {
  blob: Blob;
}

const MAX_SIDE = { text: 2_000, avatar: 512 };
/** Decoding a picture of this size takes 400 MB of memory. A larger one is decoded at a smaller size. */
const MAX_DECODED_PIXELS = 100_000_000;
/** Some phones take photos of 200 megapixels. */
const MAX_SOURCE_PIXELS = 250_000_000;
const MAX_SOURCE_BYTES = 60 * 1024 * 1024;
/** Keeps the upload of a photo below 400 kB. A picture may exceed this if it would otherwise shrink below `MIN_SIDE`. */
const TARGET_BYTES = 390_000;
const QUALITIES = [0.82, 0.7, 0.55, 0.4];
const SHRINK_FACTOR = 0.8;
const MIN_SIDE = 800;

/**
 * Prepares a file for upload: scales it down, compresses it and removes its metadata. Animations in texts stay
 * unchanged. Throws PictureError.
 */
export async function fitPicture(file: File, purpose: PicturePurpose): Promise<FittedPicture> {
  if (file.size > MAX_SOURCE_BYTES) throw new PictureError(`${file.name} is too large.`);
  const header = readPictureHeader(new Uint8Array(await file.arrayBuffer()));
  if (header === undefined) throw new PictureError(await describeUnreadable(file));
  const pixels = header.width * header.height;
  if (pixels > MAX_SOURCE_PIXELS) throw tooManyPixels(file);
  if (header.isAnimated && purpose === "text") return keepAnimation(file, header);
  const isHuge = pixels > MAX_DECODED_PIXELS;
  const resize = isHuge && ({ resizeWidth: 2 * MAX_SIDE.text, resizeQuality: "high" } as const);
  const bitmap = await createImageBitmap(file, resize || {}).catch(() => {
    throw isHuge ? tooManyPixels(file) : new PictureError(`${file.name} is damaged and cannot be read.`);
  });
  try {
    return await compress(bitmap, header.extension, purpose);
  } finally {
    bitmap.close();
  }
}

function tooManyPixels({ name }: File): PictureError {
  return new PictureError(
    `${name} has too many pixels. Make it smaller in a picture editor, for example 4,000 pixels wide.`,
  );
}

/** The brands of HEIC and HEIF files (ISO/IEC 23008-12). Phones use these formats, but most browsers can't show them. */
const HEIC = /^....ftyp(?:hei[cfmsx]|hev[cmsx]|mif1|msf1)/s;

async function describeUnreadable(file: File): Promise<string> {
  const start = String.fromCharCode(...new Uint8Array(await file.slice(0, 12).arrayBuffer()));
  if (HEIC.test(start)) {
    return `${file.name} is a HEIC photo: open it in Photos or Preview and export it as JPEG. To take photos as JPEG, choose "Most Compatible" in the iPhone's camera settings under Formats.`;
  }
  const isSvg = file.type === "image/svg+xml" || /<svg[\s>]/i.test(await file.slice(0, 4_096).text());
  return isSvg
    ? "SVG pictures cannot be added: choose a PNG, JPEG, WebP, GIF or AVIF."
    : `${file.name} is not a supported picture: choose a PNG, JPEG, WebP, GIF or AVIF.`;
}

/** Returns an animation unchanged, because a canvas would keep only its first frame. */
async function keepAnimation(
  file: File,
  { extension, width, height }: PictureHeader,
): Promise<FittedPicture> {
  if (file.size > MAX_PICTURE_BYTES) {
    throw new PictureError(`${file.name} is larger than 5 MB, and animations are not compressed.`);
  }
  return withDigest(new Blob([file], { type: PICTURE_TYPES[extension] }), { extension, width, height });
}

async function compress(
  bitmap: ImageBitmap,
  source: PictureExtension,
  purpose: PicturePurpose,
): Promise<FittedPicture> {
  let side = MAX_SIDE[purpose];
  for (;;) {
    const canvas = draw(bitmap, side, purpose === "avatar");
    const isSmallest = Math.max(canvas.width, canvas.height) * SHRINK_FACTOR < MIN_SIDE;
    let smallest: Blob | undefined;
    for (const encode of await encodings(canvas, source)) {
      const encoded = await encode();
      if (smallest === undefined || encoded.size < smallest.size) smallest = encoded;
      if (smallest.size <= TARGET_BYTES) break;
    }
    if (smallest && smallest.size <= (isSmallest ? MAX_PICTURE_BYTES : TARGET_BYTES)) {
      const extension = extensionOf(smallest);
      return withDigest(smallest, { extension, width: canvas.width, height: canvas.height });
    }
    side = Math.max(canvas.width, canvas.height) * SHRINK_FACTOR;
  }
}

function draw(bitmap: ImageBitmap, maxSide: number, isSquare: boolean): OffscreenCanvas {
  const { width, height } = bitmap;
  const shorter = Math.min(width, height);
  const from = isSquare
    ? { x: (width - shorter) / 2, y: (height - shorter) / 2, width: shorter, height: shorter }
    : { x: 0, y: 0, width, height };
  const scale = Math.min(1, maxSide / Math.max(from.width, from.height));
  const to = {
    width: Math.max(1, Math.round(from.width * scale)),
    height: Math.max(1, Math.round(from.height * scale)),
  };
  const canvas = new OffscreenCanvas(to.width, to.height);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("The browser has no 2D canvas");
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, from.x, from.y, from.width, from.height, 0, 0, to.width, to.height);
  return canvas;
}

/**
 * Returns encoders in order of decreasing quality, so that `compress` can stop at the first result that is small
 * enough. For PNG and GIF, lossless compression is tried first.
 */
async function encodings(
  canvas: OffscreenCanvas,
  source: PictureExtension,
): Promise<(() => Promise<Blob>)[]> {
  const encode = (type: string, quality?: number) => () =>
    canvas.convertToBlob({ type, ...(quality !== undefined && { quality }) });
  const isLossless = source === "png" || source === "gif";
  const webp = [...(isLossless ? [1] : []), ...QUALITIES].map((quality) => encode("image/webp", quality));
  // Safari can't encode WebP. Use PNG for pictures that may have transparent parts, because JPEG has no transparency.
  if ((await encode("image/webp", 0.1)()).type === "image/webp") return webp;
  return isLossless || source === "webp" || source === "avif"
    ? [encode("image/png")]
    : QUALITIES.map((quality) => encode("image/jpeg", quality));
}

function extensionOf({ type }: Blob): PictureExtension {
  const extension = (Object.keys(PICTURE_TYPES) as PictureExtension[]).find(
    (extension) => PICTURE_TYPES[extension] === type,
  );
  if (extension === undefined) throw new Error("The browser used an unsupported format");
  return extension;
}

async function withDigest(blob: Blob, size: Omit<PictureFile, "digest">): Promise<FittedPicture> {
  const digest = bytesToHex(sha256(new Uint8Array(await blob.arrayBuffer()))).slice(0, 32);
  return { ...size, digest, blob };
}
