import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  contentRange,
  intersect,
  type PreferenceName,
  parseAccept,
  parsePrefer,
  parseRange,
  rangeStatus,
} from "./headers.ts";

describe("the Accept header", () => {
  test.each([
    [null, "array"],
    ["*/*", "array"],
    ["application/json", "array"],
    ["application/json;charset=utf-8", "array"],
    ["text/html, application/json", "array"],
    ["application/vnd.pgrst.object+json", "object"],
    ["Application/Vnd.Pgrst.Object+JSON", "object"],
  ])("a client with the Accept header %s gets its rows as an %s", (header, shape) => {
    expect(parseAccept(header)).toBe(shape);
  });

  test.each([
    "text/csv",
    "application/geo+json",
    "application/vnd.pgrst.plan+json",
    "constructor",
    "",
    "x".repeat(500),
  ])("the Accept header %s is rejected with 406", (header) => {
    expect(() => parseAccept(header)).toThrow(expect.objectContaining({ status: 406, code: "PGRST107" }));
  });
});

describe("the Prefer header", () => {
  const all: PreferenceName[] = ["handling", "timezone", "count", "return", "missing", "max-affected"];
  const parsed = (header: string | null) => Object.fromEntries(parsePrefer(header, all));

  test("the Prefer header can contain several preferences", () => {
    expect(parsed("return=representation, count=exact,timezone=America/Argentina/Buenos_Aires")).toEqual({
      return: "representation",
      count: "exact",
      timezone: "America/Argentina/Buenos_Aires",
    });
    expect(parsed(null)).toEqual({});
  });

  test("if preferences contradict each other, the first one applies, and unknown preferences are ignored", () => {
    expect(
      parsed("return=minimal,return=representation,count=guessed,missing=nothing,toString=1,__proto__=a"),
    ).toEqual({ return: "minimal" });
  });

  test("a preference that does not apply to the request is ignored, or rejected with handling=strict", () => {
    expect(parsed("resolution=merge-duplicates")).toEqual({});
    for (const preference of ["resolution=merge-duplicates", "nope", "count=guessed"]) {
      expect(() => parsed(`handling=strict, return=minimal, ${preference}`)).toThrow(
        expect.objectContaining({
          status: 400,
          code: "PGRST122",
          extras: { details: `Invalid preferences: ${preference}` },
        }),
      );
    }
  });

  test.each([
    ["max-affected=few", all],
    ["max-affected=-1", all],
    ["max-affected=1", ["count"]],
    ["timezone=Nowhere/At_All", all],
    ["timezone=+03:00", all],
    ["timezone=UTC'", all],
  ] as [string, PreferenceName[]][])(
    "the preference %s is rejected without handling=strict too if it cannot be applied",
    (header, applicable) => {
      expect(() => parsePrefer(header, applicable)).toThrow(expect.objectContaining({ code: "PGRST122" }));
    },
  );

  test("parsing any text as a Prefer header does not throw", () => {
    fc.assert(fc.property(fc.string(), (header) => void parsed(header)));
  });
});

describe("the Range header", () => {
  const wholeList = { limit: undefined, offset: 0 };

  test.each([
    [null, undefined],
    ["bytes=0-1", undefined],
    ["0-9", { offset: 0, limit: 10 }],
    ["5-", { offset: 5, limit: undefined }],
  ])("the Range header %s is parsed as %j", (header, expected) => {
    expect(parseRange(header)).toEqual(expected);
  });

  test.each([
    [wholeList, undefined, wholeList],
    [wholeList, "0-9", { offset: 0, limit: 10 }],
    [{ offset: 2, limit: undefined }, "0-3", { offset: 2, limit: 2 }],
    [{ offset: 0, limit: 3 }, "2-9", { offset: 2, limit: 1 }],
    [{ offset: 5, limit: 5 }, "0-", { offset: 5, limit: 5 }],
    [{ offset: 0, limit: 0 }, "0-3", { offset: 0, limit: 0 }],
  ])("a request for the page %j with the Range header %s gets the page %j", (page, header, expected) => {
    expect(intersect(page, parseRange(header ?? null))).toEqual(expected);
  });

  test("a range without rows in the page gets 416", () => {
    expect(() => intersect({ offset: 0, limit: 3 }, { offset: 3, limit: 3 })).toThrow(
      expect.objectContaining({ status: 416, code: "PGRST103" }),
    );
  });

  test("a range that ends before its start gets 416", () => {
    expect(() => parseRange("1-0")).toThrow(expect.objectContaining({ status: 416, code: "PGRST103" }));
  });

  test.each([
    [0, 3, null, "0-2/*", 200],
    [0, 3, 3, "0-2/3", 200],
    [0, 3, 10, "0-2/10", 206],
    [5, 5, 10, "5-9/10", 206],
    [0, 0, 0, "*/0", 200],
    [0, 0, null, "*/*", 200],
  ] as const)(
    "at offset %d, a response with %d rows (of %s in total) has the Content-Range %s and status %d",
    (offset, rows, total, header, status) => {
      expect(contentRange(offset, rows, total)).toBe(header);
      expect(rangeStatus(offset, rows, total)).toBe(status);
    },
  );

  test("an offset greater than the number of rows gets 416", () => {
    expect(() => rangeStatus(11, 0, 10)).toThrow(
      expect.objectContaining({
        status: 416,
        extras: {
          details: "An offset of 11 was requested, but there are only 10 rows.",
          headers: { "content-range": "*/10" },
        },
      }),
    );
  });
});
