import fc from "fast-check";
import { expect, test } from "vitest";
import {
  makeAvifHeader,
  makeGif,
  makeJpegHeader,
  makePng,
  makeWebpHeader,
} from "../../tests/support/pictures.ts";
import { readPictureHeader } from "./picture-header.ts";

const stillPictures = [
  makePng(3, 2),
  makeJpegHeader(4_000, 3_000),
  makeGif(5, 4, 1),
  makeWebpHeader(800, 600),
  makeAvifHeader(7, 9),
];

test.each(stillPictures)(
  "the format and dimensions of a still $extension file are detected from its bytes",
  ({ bytes, extension, width, height }) => {
    expect(readPictureHeader(bytes)).toEqual({ extension, width, height, isAnimated: false });
  },
);

test.each([makeGif(5, 4, 3), makeWebpHeader(8, 8, true), makeAvifHeader(7, 9, "avis")])(
  "an animated $extension file is detected as animated",
  ({ bytes }) => {
    expect(readPictureHeader(bytes)).toMatchObject({ isAnimated: true });
  },
);

test.each([
  ["SVG", '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'],
  ["HTML", "<!doctype html><script>alert(1)</script>"],
  ["HTML after the first letters of a GIF", "GIF89a<script>alert(1)</script>"],
  ["text", "Hello"],
  ["an empty file", ""],
])("%s is not detected as a picture", (_, text) => {
  expect(readPictureHeader(Buffer.from(text))).toBeUndefined();
});

test("a GIF with a frame larger than its canvas is rejected", () => {
  const { bytes } = makeGif(5, 4, 1);
  const frame = bytes.indexOf(0x2c, 30);
  bytes.writeUInt16LE(60_000, frame + 5);
  expect(readPictureHeader(bytes)).toBeUndefined();
});

test.each([
  ["zeros", Buffer.alloc(7)],
  ["text", Buffer.from("Exif\n")],
  ["stuffed and repeated 0xFF", Buffer.from([0xff, 0, 0xff, 0xff, 0])],
])("%s between the segments of a JPEG don't hide its dimensions", (_, junk) => {
  const { bytes, width, height } = makeJpegHeader(4_000, 3_000);
  const changed = Buffer.concat([bytes.subarray(0, 2), junk, bytes.subarray(2)]);
  expect(readPictureHeader(changed)).toMatchObject({ extension: "jpg", width, height });
});

test("a GIF with other bytes before its first frame or after it is accepted, and so is one that is cut off there", () => {
  const { bytes, width, height } = makeGif(5, 4, 1);
  const still = { extension: "gif", width, height, isAnimated: false };
  const firstBlock = bytes.indexOf(0x21);
  const before = Buffer.concat([bytes.subarray(0, firstBlock), Buffer.alloc(3), bytes.subarray(firstBlock)]);
  expect(readPictureHeader(before)).toEqual(still);
  const withoutEnd = bytes.subarray(0, -1);
  for (const junk of ["", "\0\0", "trash, and more !", ",", "!"])
    expect(readPictureHeader(Buffer.concat([withoutEnd, Buffer.from(junk)]))).toEqual(still);
  expect(readPictureHeader(bytes.subarray(0, -4))).toEqual(still);
});

test("a picture with a width of 0 is rejected", () => {
  expect(readPictureHeader(makePng(0, 5).bytes)).toBeUndefined();
});

test("truncated and damaged picture files cause no exception and no endless loop", () => {
  const damaged = fc
    .tuple(
      fc.constantFrom(...stillPictures),
      fc.nat(),
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 }),
    )
    .map(([{ bytes }, length, changes]) => {
      const copy = Buffer.from(bytes.subarray(0, length % (bytes.length + 1)));
      for (const [at, value] of changes) if (copy.length > 0) copy[at % copy.length] = value;
      return copy;
    });
  fc.assert(
    fc.property(damaged, (bytes) => {
      const header = readPictureHeader(bytes);
      if (header) expect(header.width * header.height).toBeGreaterThan(0);
    }),
    { numRuns: 2_000 },
  );
});

test("a file with a million empty parts is not detected as a picture", () => {
  const { bytes, width, height } = makeJpegHeader(4_000, 3_000);
  const withParts = (count: number) =>
    Buffer.concat([
      bytes.subarray(0, 2),
      Buffer.alloc(4 * count, Buffer.from("ffe00002", "hex")),
      bytes.subarray(2),
    ]);
  expect(readPictureHeader(withParts(1_000))).toMatchObject({ width, height });
  expect(readPictureHeader(withParts(1_000_000))).toBeUndefined();
});

/** A WebP file. Its first chunk begins with these bytes. */
function makeWebp(type: string, content: number[]): Uint8Array {
  const bytes = Buffer.alloc(40);
  bytes.write(`RIFF\0\0\0\0WEBP${type}`, "latin1");
  Buffer.from(content).copy(bytes, 20);
  return bytes;
}

test("the dimensions of lossy and lossless WebP files are read from their bits, without the scale next to them", () => {
  const still = { extension: "webp", isAnimated: false };
  // 14 bits each for the width and the height. The two bits after them are a scale in VP8, and other flags in VP8L.
  const lossy = [0, 0, 0, 0x9d, 0x01, 0x2a, 0x21, 0x43, 0x01, 0x82];
  expect(readPictureHeader(makeWebp("VP8 ", lossy))).toEqual({ ...still, width: 0x321, height: 0x201 });
  const lossless = (width: number, height: number) => {
    const bits = Buffer.alloc(5, 0x2f);
    bits.writeUInt32LE((width - 1 + (height - 1) * 2 ** 14 + 2 ** 28) >>> 0, 1);
    return readPictureHeader(makeWebp("VP8L", [...bits]));
  };
  expect(lossless(16_384, 1)).toEqual({ ...still, width: 16_384, height: 1 });
  expect(lossless(1, 16_384)).toEqual({ ...still, width: 1, height: 16_384 });
  expect(readPictureHeader(makeWebpHeader(70_000, 1_000_000).bytes)).toEqual({
    ...still,
    width: 70_000,
    height: 1_000_000,
  });
});

test.each([
  ["a VP8 chunk without its start code", "VP8 ", [0, 0, 0, 0x9d, 0x01, 0x2b, 1, 0, 1, 0]],
  ["a VP8L chunk without its signature", "VP8L", [0x2e, 0, 0, 0, 0]],
  ["another chunk", "ICCP", [0x2f, 0, 0, 0, 0]],
])("a WebP file that starts with %s is not detected as a picture", (_, type, content) => {
  expect(readPictureHeader(makeWebp(type, content))).toBeUndefined();
});

const jpegSegment = (marker: number, content: number[] = [], length = content.length + 2) => [
  0xff,
  marker,
  length >> 8,
  length & 255,
  ...content,
];
const FRAME = [8, 0x01, 0x02, 0x03, 0x04, 1, 1, 0x11, 0];
const makeJpeg = (...segments: number[][]) => Buffer.from([[0xff, 0xd8], ...segments].flat());

test.each([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xcb, 0xcf])("the JPEG marker %i is a frame header", (marker) => {
  const bytes = makeJpeg(jpegSegment(0xe1, [0xff, 0xc0, 0, 9]), jpegSegment(marker, FRAME));
  expect(readPictureHeader(bytes)).toEqual({
    extension: "jpg",
    width: 0x304,
    height: 0x102,
    isAnimated: false,
  });
});

test.each([0xc4, 0xc8, 0xcc, 0xbf, 0xd8 - 1, 0x01])("the JPEG marker %i is not a frame header", (marker) => {
  const other = marker === 0x01 || marker === 0xd7 ? [0xff, marker] : jpegSegment(marker, [8, 0, 9, 0, 9]);
  const bytes = makeJpeg(other, jpegSegment(0xc0, FRAME));
  expect(readPictureHeader(bytes)).toMatchObject({ width: 0x304, height: 0x102 });
});

test.each([0xda, 0xd9])("a JPEG without a frame header before the marker %i is not a picture", (marker) => {
  expect(readPictureHeader(makeJpeg(jpegSegment(marker, [1, 1]), jpegSegment(0xc0, FRAME)))).toBeUndefined();
});

test("a PNG is animated if an acTL chunk precedes its pixels", () => {
  const { bytes, width, height } = makePng(3, 2);
  const data = bytes.indexOf("IDAT") - 4;
  const control = Buffer.alloc(20);
  control.writeUInt32BE(8, 0);
  control.write("acTL", 4, "latin1");
  const withControlAt = (at: number) =>
    readPictureHeader(Buffer.concat([bytes.subarray(0, at), control, bytes.subarray(at)]));
  expect(withControlAt(data)).toEqual({ extension: "png", width, height, isAnimated: true });
  expect(withControlAt(bytes.length - 12)).toEqual({ extension: "png", width, height, isAnimated: false });
});

/** A box of an AVIF file. */
function box(type: string, ...content: Uint8Array[]): Buffer {
  const head = Buffer.alloc(8);
  const body = Buffer.concat([head, ...content]);
  body.writeUInt32BE(body.length, 0);
  body.write(type, 4, "latin1");
  return body;
}

const avifSize = (width: number, height: number) => {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32BE(width, 4);
  bytes.writeUInt32BE(height, 8);
  return box("ispe", bytes);
};

/** An AVIF file with these properties, and the boxes that cameras write before them. */
const makeAvif = (brands: string, ...properties: Uint8Array[]) =>
  Buffer.concat([
    box("ftyp", Buffer.from(brands, "latin1")),
    box("free", Buffer.alloc(5)),
    box("meta", Buffer.alloc(4), box("hdlr", Buffer.alloc(9)), box("iprp", box("ipco", ...properties))),
  ]);

test("an AVIF file has the size of its largest item, turned if it is rotated by a quarter", () => {
  const sizes = [avifSize(100, 90), avifSize(4_000, 3_000), avifSize(512, 512)];
  const brands = "mif1\0\0\0\0avif";
  const still = { extension: "avif", width: 4_000, height: 3_000, isAnimated: false };
  expect(readPictureHeader(makeAvif(brands, ...sizes))).toEqual(still);
  const rotated = (quarters: number) =>
    readPictureHeader(makeAvif(brands, ...sizes, box("irot", Buffer.from([quarters]))));
  expect([0, 2].map(rotated)).toEqual([still, still]);
  const turned = { ...still, width: 3_000, height: 4_000 };
  expect([1, 3].map(rotated)).toEqual([turned, turned]);
});

test.each([
  ["brands of another format", makeAvif("heic\0\0\0\0mif1", avifSize(9, 9))],
  ["the brand only as a version", makeAvif("heicavifmif1", avifSize(9, 9))],
  ["a box before its brands", Buffer.concat([box("free"), makeAvif("avif\0\0\0\0", avifSize(9, 9))])],
  ["no size", makeAvif("avif\0\0\0\0")],
  ["no properties", Buffer.concat([box("ftyp", Buffer.from("avif\0\0\0\0")), box("meta", Buffer.alloc(4))])],
])("a file in boxes with %s is not detected as a picture", (_, bytes) => {
  expect(readPictureHeader(bytes)).toBeUndefined();
});

test("PNG, GIF and AVIF files with a million empty parts are not detected as pictures", () => {
  const withParts = (bytes: Buffer, at: number, part: Buffer, count: number) =>
    Buffer.concat([bytes.subarray(0, at), Buffer.alloc(part.length * count, part), bytes.subarray(at)]);
  const png = makePng(3, 2).bytes;
  const gif = makeGif(5, 4, 1).bytes;
  const avif = makeAvifHeader(7, 9).bytes;
  const cases: [Buffer, number, Buffer][] = [
    [png, png.indexOf("IDAT") - 4, Buffer.from("\0\0\0\0noIs\0\0\0\0", "latin1")],
    [gif, gif.indexOf("!"), Buffer.from([0x21, 0xfe, 0])],
    [avif, avif.indexOf("meta") - 4, box("free")],
  ];
  for (const [bytes, at, part] of cases) {
    expect(readPictureHeader(withParts(bytes, at, part, 1_000))).toBeDefined();
    expect(readPictureHeader(withParts(bytes, at, part, 1_000_000))).toBeUndefined();
  }
});

test("a box with a size of 0 or beyond its end ends the search", () => {
  const file = makeAvif("avif\0\0\0\0", avifSize(9, 9));
  const free = file.indexOf("free") - 4;
  for (const size of [0, 1, 7, 60_000]) {
    const damaged = Buffer.from(file);
    damaged.writeUInt32BE(size, free);
    expect(readPictureHeader(damaged)).toBeUndefined();
  }
});

test("the color tables of a GIF, of any size, are skipped", () => {
  const little = (...numbers: number[]) => numbers.flatMap((number) => [number & 255, number >> 8]);
  // Each table contains bytes that would begin a frame, an extension or the end.
  const table = (bits: number) =>
    Array.from({ length: 3 * 2 ** (bits + 1) }, (_, at) => [0x2c, 0x21, 0x3b][at % 3]);
  for (const bits of [0, 3, 7]) {
    const frame = [0x2c, ...little(1, 2, 4, 2), 0x80 | bits, ...table(bits), 2, 1, 0x2c, 0];
    const bytes = Buffer.from(
      [
        [...Buffer.from("GIF87a")],
        little(5, 4),
        [0x80 | bits, 0, 0],
        table(bits),
        frame,
        frame,
        [0x3b],
      ].flat() as number[],
    );
    expect(readPictureHeader(bytes)).toEqual({ extension: "gif", width: 5, height: 4, isAnimated: true });
    expect(readPictureHeader(bytes.subarray(0, -frame.length - 1))).toMatchObject({ isAnimated: false });
  }
});

test.each([
  ["width", 1, 5],
  ["height", 3, 4],
])("a GIF frame may fill its canvas, but not exceed its %s by a pixel", (_, at, size) => {
  const { bytes } = makeGif(5, 4, 1);
  const frame = bytes.indexOf(0x2c, 30);
  bytes.writeUInt16LE(1, frame + at);
  expect(readPictureHeader(bytes)).toBeUndefined();
  bytes.writeUInt16LE(size - 1, frame + at + 4);
  expect(readPictureHeader(bytes)).toBeDefined();
});

test.each([
  [makePng(3, 2), 3],
  [makeGif(5, 4), 5],
  [makeWebpHeader(8, 8), 3],
  [makeWebpHeader(8, 8), 9],
  [makeAvifHeader(7, 9), 5],
])("a $0.extension file whose byte $1 differs is not detected as a picture", ({ bytes }, at) => {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 0x20;
  expect(readPictureHeader(changed)).toBeUndefined();
});
