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
