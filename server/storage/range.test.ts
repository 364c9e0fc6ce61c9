import { expect, test } from "vitest";
import { parseRange } from "./range.ts";

test.each([
  ["bytes=0-3", { start: 0, end: 4 }],
  [" bytes=3-3 ", { start: 3, end: 4 }],
  ["bytes=5-", { start: 5, end: 10 }],
  ["bytes=-4", { start: 6, end: 10 }],
  ["bytes=-40", { start: 0, end: 10 }],
  ["bytes=8-400", { start: 8, end: 10 }],
])("the Range header %s selects one range of a ten-byte object", (header, range) => {
  expect(parseRange(header, 10)).toEqual(range);
});

test.each(["bytes=10-", "bytes=99-100", "bytes=-0"])(
  "the Range header %s cannot be satisfied for a ten-byte object",
  (header) => {
    expect(parseRange(header, 10)).toBe("unsatisfiable");
  },
);

test.each([undefined, "", "bytes=-", "bytes=4-2", "bytes=0-1,3-4", "lines=0-3", "bytes=a-b", "xbytes=0-3"])(
  "the Range header %j is ignored",
  (header) => {
    expect(parseRange(header, 10)).toBeUndefined();
  },
);
