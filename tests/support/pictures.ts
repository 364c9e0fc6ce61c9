import { createHash } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import type { PictureExtension } from "../../common/pictures/picture-path.ts";

export interface TestPicture {
  bytes: Buffer<ArrayBuffer>;
  width: number;
  height: number;
  extension: PictureExtension;
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

/** Makes a gray PNG. `paddingBytes` is the size of an added chunk, which viewers ignore. */
export function makePng(width: number, height: number, gray = 128, paddingBytes = 0): TestPicture {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(Math.min(width, 4_000), gray)]);
  const rows = Buffer.concat(Array.from({ length: Math.min(height, 4_000) }, () => row));
  const bytes = Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    pngChunk("IHDR", header),
    ...(paddingBytes > 0 ? [pngChunk("noIs", Buffer.alloc(paddingBytes, gray))] : []),
    pngChunk("IDAT", deflateSync(rows)),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
  return { bytes, width, height, extension: "png" };
}

/** Makes a GIF, animated if it has more than one frame. Each frame has a single color. */
export function makeGif(width: number, height: number, frames = 2): TestPicture {
  const uint16 = (value: number) => Buffer.from([value & 255, value >> 8]);
  const size = Buffer.concat([uint16(width), uint16(height)]);
  // A clear code (4) before each pixel keeps all LZW codes at three bits.
  const image = (color: number) => {
    const codes = Array.from({ length: width * height }, () => [4, color]).flat();
    const data = Buffer.alloc(Math.ceil(((codes.length + 1) * 3) / 8));
    [...codes, 5].forEach((code, index) => {
      for (let bit = 0; bit < 3; bit++) {
        const at = index * 3 + bit;
        if (code & (1 << bit)) data[at >> 3] = (data[at >> 3] ?? 0) | (1 << (at & 7));
      }
    });
    const blocks: Buffer[] = [];
    for (let at = 0; at < data.length; at += 255) {
      const block = data.subarray(at, at + 255);
      blocks.push(Buffer.from([block.length]), block);
    }
    const control = Buffer.from([0x21, 0xf9, 4, 0, 10, 0, 0, 0]);
    return Buffer.concat([
      control,
      Buffer.from([0x2c, 0, 0, 0, 0]),
      size,
      Buffer.from([0, 2]),
      ...blocks,
      Buffer.from([0]),
    ]);
  };
  const bytes = Buffer.concat([
    Buffer.from("GIF89a", "latin1"),
    size,
    Buffer.from([0x81, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255]),
    Buffer.from([0x21, 0xff, 11]),
    Buffer.from("NETSCAPE2.0", "latin1"),
    Buffer.from([3, 1, 0, 0, 0]),
    ...Array.from({ length: frames }, (_, index) => image(index % 4)),
    Buffer.from([0x3b]),
  ]);
  return { bytes, width, height, extension: "gif" };
}

/** Makes a gray JPEG of any size that decoders can read: each block of 8 × 8 pixels takes two zero bits. */
export function makeFlatJpeg(width: number, height: number): TestPicture {
  const uint16 = (value: number) => [value >> 8, value & 255];
  const segment = (marker: number, data: number[]) => [0xff, marker, ...uint16(data.length + 2), ...data];
  // One code, the bit 0, which means "no difference" in the first table and "end of block" in the second.
  const huffmanTable = (id: number) => segment(0xc4, [id, 1, ...Array<number>(15).fill(0), 0]);
  const head = [
    ...[0xff, 0xd8],
    ...segment(0xdb, [0, ...Array<number>(64).fill(1)]),
    ...segment(0xc0, [8, ...uint16(height), ...uint16(width), 1, 1, 0x11, 0]),
    ...huffmanTable(0x00),
    ...huffmanTable(0x10),
    ...segment(0xda, [1, 1, 0, 0, 63, 0]),
  ];
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  const bytes = Buffer.concat([
    Buffer.from(head),
    Buffer.alloc(Math.ceil(blocks / 4)),
    Buffer.from([0xff, 0xd9]),
  ]);
  return { bytes, width, height, extension: "jpg" };
}

/** Makes a JPEG without pixels. The server reads only its header. */
export function makeJpegHeader(width: number, height: number): TestPicture {
  const bytes = Buffer.from([
    0xff,
    0xd8,
    0xff,
    0xe0,
    0,
    4,
    0,
    0,
    0xff,
    0xc0,
    0,
    11,
    8,
    height >> 8,
    height & 255,
    width >> 8,
    width & 255,
    1,
    1,
    0x11,
    0,
    0xff,
    0xda,
    0,
    2,
    0xff,
    0xd9,
  ]);
  return { bytes, width, height, extension: "jpg" };
}

/** Makes a WebP in the extended format, without pixels. */
export function makeWebpHeader(width: number, height: number, isAnimated = false): TestPicture {
  const bytes = Buffer.alloc(30);
  bytes.write("RIFF", 0, "latin1");
  bytes.writeUInt32LE(22, 4);
  bytes.write("WEBPVP8X", 8, "latin1");
  bytes.writeUInt32LE(10, 16);
  bytes[20] = isAnimated ? 2 : 0;
  bytes.writeUIntLE(width - 1, 24, 3);
  bytes.writeUIntLE(height - 1, 27, 3);
  return { bytes, width, height, extension: "webp" };
}

function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.alloc(4), Buffer.from(type, "latin1"), ...content]);
  body.writeUInt32BE(body.length, 0);
  return body;
}

/** Makes an AVIF without pixels. */
export function makeAvifHeader(width: number, height: number, brand = "avif"): TestPicture {
  const size = Buffer.alloc(12);
  size.writeUInt32BE(width, 4);
  size.writeUInt32BE(height, 8);
  const bytes = Buffer.concat([
    box("ftyp", Buffer.from(`${brand}\0\0\0\0avifmif1`, "latin1")),
    box("meta", Buffer.alloc(4), box("iprp", box("ipco", box("ispe", size)))),
  ]);
  return { bytes: Buffer.from(bytes), width, height, extension: "avif" };
}

/** The path of a member's picture in the bucket (contract, "Pictures"). */
export function pathOf(userId: string, { bytes, width, height, extension }: TestPicture): string {
  const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
  return `${userId}/${digest}-${width}x${height}.${extension}`;
}
