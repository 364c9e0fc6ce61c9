import type { PictureExtension } from "./picture-path.ts";

export interface PictureHeader {
  extension: PictureExtension;
  width: number;
  height: number;
  isAnimated: boolean;
}

/**
 * Detects a picture's format, its dimensions and whether it is animated. Returns undefined unless the bytes are a PNG,
 * JPEG, WebP, GIF or AVIF.
 */
export function readPictureHeader(bytes: Uint8Array): PictureHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const nextPart = limitParts();
  try {
    const header =
      readPng(view, nextPart) ??
      readJpeg(view, nextPart) ??
      readGif(view, nextPart) ??
      readWebp(view) ??
      readAvif(view, nextPart);
    return header && header.width > 0 && header.height > 0 ? header : undefined;
  } catch (error) {
    // A read went past the end of a truncated file, or the file has too many parts.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Photos have tens of parts (chunks, segments, boxes), and large animations tens of thousands. */
const MAX_PARTS = 100_000;

/** Returns a function that throws RangeError after too many calls: 5 MB of empty parts would take too long. */
function limitParts(): () => void {
  let parts = 0;
  return () => {
    if (++parts > MAX_PARTS) throw new RangeError("The file has too many parts");
  };
}

function textAt(view: DataView, offset: number, length: number): string {
  let text = "";
  for (let index = 0; index < length; index++) text += String.fromCharCode(view.getUint8(offset + index));
  return text;
}

/** An acTL chunk before the first IDAT chunk marks an animation (https://www.w3.org/TR/png-3/#5DataRep). */
function readPng(view: DataView, nextPart: () => void): PictureHeader | undefined {
  if (textAt(view, 0, 8) !== "\x89PNG\r\n\x1a\n" || textAt(view, 12, 4) !== "IHDR") return undefined;
  const size = { width: view.getUint32(16), height: view.getUint32(20) };
  let offset = 8;
  let type = "IHDR";
  while (type !== "acTL" && type !== "IDAT") {
    nextPart();
    offset += 12 + view.getUint32(offset);
    type = textAt(view, offset + 4, 4);
  }
  return { extension: "png", ...size, isAnimated: type === "acTL" };
}

/**
 * Skips segments up to the frame header, which contains the size (ITU T.81, B.1). Also skips bytes between segments, as
 * browsers do.
 */
function readJpeg(view: DataView, nextPart: () => void): PictureHeader | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined;
  let offset = 2;
  for (;;) {
    nextPart();
    const marker = view.getUint8(offset + 1);
    // A marker is 0xFF, followed by neither 0xFF nor 0.
    if (view.getUint8(offset) !== 0xff || marker === 0xff || marker === 0) {
      offset += 1;
      continue;
    }
    // The markers from C0 to CF are frame headers, except for C4, C8 and CC.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const size = { width: view.getUint16(offset + 7), height: view.getUint16(offset + 5) };
      return { extension: "jpg", ...size, isAnimated: false };
    }
    const isStandalone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
    if (marker === 0xda || marker === 0xd9) return undefined;
    offset += isStandalone ? 2 : 2 + view.getUint16(offset + 2);
  }
}

/**
 * Rejects a GIF whose first or second frame extends beyond the canvas: browsers would enlarge the canvas, so the
 * picture would be larger than its header says (https://www.w3.org/Graphics/GIF/spec-gif89a.txt). Like browsers, it skips
 * other bytes before the first frame, takes such bytes after a frame as the end, and accepts a file that is cut off there.
 */
function readGif(view: DataView, nextPart: () => void): PictureHeader | undefined {
  if (!/^GIF8[79]a$/.test(textAt(view, 0, 6))) return undefined;
  const width = view.getUint16(6, true);
  const height = view.getUint16(8, true);
  const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let offset = 13 + tableBytes(view.getUint8(10));
  let frames = 0;
  const skipSubBlocks = () => {
    while (offset < view.byteLength && view.getUint8(offset) > 0) {
      nextPart();
      offset += 1 + view.getUint8(offset);
    }
    offset += 1;
  };
  while (offset < view.byteLength && frames < 2) {
    nextPart();
    const block = view.getUint8(offset);
    if (block === 0x3b) break;
    if (block === 0x21) offset += 2;
    else if (block !== 0x2c) {
      if (frames > 0 && block !== 0) break;
      offset += 1;
      continue;
    } else {
      if (frames > 0 && offset + 10 > view.byteLength) break;
      const right = view.getUint16(offset + 1, true) + view.getUint16(offset + 5, true);
      const bottom = view.getUint16(offset + 3, true) + view.getUint16(offset + 7, true);
      if (right > width || bottom > height) return undefined;
      frames += 1;
      offset += 11 + tableBytes(view.getUint8(offset + 9));
    }
    skipSubBlocks();
  }
  return frames === 0 ? undefined : { extension: "gif", width, height, isAnimated: frames > 1 };
}

/** Reads the size from the first chunk (RFC 9649, sections 2.5 to 2.7). */
function readWebp(view: DataView): PictureHeader | undefined {
  if (textAt(view, 0, 4) !== "RIFF" || textAt(view, 8, 4) !== "WEBP") return undefined;
  const chunk = textAt(view, 12, 4);
  if (chunk === "VP8X") {
    const uint24 = (offset: number) => view.getUint16(offset, true) + view.getUint8(offset + 2) * 65_536;
    const isAnimated = (view.getUint8(20) & 0x02) !== 0;
    return { extension: "webp", width: uint24(24) + 1, height: uint24(27) + 1, isAnimated };
  }
  if (chunk === "VP8L" && view.getUint8(20) === 0x2f) {
    const bits = view.getUint32(21, true);
    const width = (bits & 0x3fff) + 1;
    return { extension: "webp", width, height: ((bits >> 14) & 0x3fff) + 1, isAnimated: false };
  }
  if (chunk === "VP8 " && textAt(view, 23, 3) === "\x9d\x01\x2a") {
    const width = view.getUint16(26, true) & 0x3fff;
    return { extension: "webp", width, height: view.getUint16(28, true) & 0x3fff, isAnimated: false };
  }
  return undefined;
}

interface Range {
  start: number;
  end: number;
}

interface Box extends Range {
  type: string;
}

/** Yields the boxes between two offsets (ISO 14496-12). */
function* boxesOf(view: DataView, nextPart: () => void, { start, end }: Range): Generator<Box> {
  let offset = start;
  while (offset + 8 <= end) {
    nextPart();
    const size = view.getUint32(offset);
    // Stop at the special sizes 0 (up to the end) and 1 (a 64-bit size follows): the boxes that we need precede the
    // pixel data and have ordinary sizes.
    if (size < 8 || offset + size > end) return;
    yield { type: textAt(view, offset + 4, 4), start: offset + 8, end: offset + size };
    offset += size;
  }
}

function findBox(view: DataView, nextPart: () => void, type: string, range: Range): Box | undefined {
  for (const box of boxesOf(view, nextPart, range)) if (box.type === type) return box;
  return undefined;
}

/**
 * Reads the size of the largest image item. The other items are tiles, thumbnails or alpha planes
 * (https://aomediacodec.github.io/av1-avif/).
 */
function readAvif(view: DataView, nextPart: () => void): PictureHeader | undefined {
  const file = { start: 0, end: view.byteLength };
  const find = (name: string, range: Range) => findBox(view, nextPart, name, range);
  const type = find("ftyp", file);
  if (type?.start !== 8) return undefined;
  const brands: string[] = [];
  for (let at = type.start; at + 4 <= type.end; at += 4) {
    nextPart();
    if (at !== type.start + 4) brands.push(textAt(view, at, 4));
  }
  const isAnimated = brands.includes("avis");
  if (!isAnimated && !brands.includes("avif")) return undefined;
  const meta = find("meta", file);
  // `meta` is a full box: its content starts with a version and flags.
  const properties = meta && find("iprp", { ...meta, start: meta.start + 4 });
  const container = properties && find("ipco", properties);
  if (container === undefined) return undefined;
  let size = { width: 0, height: 0 };
  let isRotated = false;
  for (const box of boxesOf(view, nextPart, container)) {
    if (box.type === "irot") isRotated = (view.getUint8(box.start) & 1) === 1;
    if (box.type !== "ispe") continue;
    const [width, height] = [view.getUint32(box.start + 4), view.getUint32(box.start + 8)];
    if (width * height > size.width * size.height) size = { width, height };
  }
  if (isRotated) size = { width: size.height, height: size.width };
  return { extension: "avif", ...size, isAnimated };
}
