import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contentRange, parseAccept, parsePrefer, rangeStatus, withRange } from "./headers.ts";

describe("the Accept header", () => {
  test.each([
    [undefined, "array"],
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
  test("the Prefer header can contain several preferences", () => {
    expect(parsePrefer("return=representation, count=exact,resolution=merge-duplicates")).toEqual({
      wantsRows: true,
      wantsLocation: false,
      wantsCount: true,
      missingIsDefault: false,
      duplicates: "merge",
    });
  });

  test("if preferences contradict each other, the first one applies, and unknown preferences are ignored", () => {
    expect(
      parsePrefer(
        "return=minimal,return=representation,return=headers-only,max-affected=1,count=guessed,missing=nothing,toString",
      ),
    ).toEqual({
      wantsRows: false,
      wantsLocation: false,
      wantsCount: false,
      duplicates: undefined,
      missingIsDefault: false,
    });
  });

  test("handling=strict rejects unknown preferences", () => {
    expect(() => parsePrefer("handling=strict, return=minimal, max-affected=1")).toThrow(
      expect.objectContaining({
        status: 400,
        code: "PGRST122",
        extras: { details: "Invalid preferences: max-affected=1" },
      }),
    );
    expect(parsePrefer("handling=strict, return=representation").wantsRows).toBe(true);
  });

  test.each(["planned", "estimated"])(
    "the preference count=%s asks for a count, like count=exact",
    (count) => {
      expect(parsePrefer(`count=${count}`).wantsCount).toBe(true);
    },
  );

  test("parsing any text as a Prefer header does not throw", () => {
    fc.assert(fc.property(fc.string(), (header) => void parsePrefer(header)));
  });
});

describe("the Range header", () => {
  const wholeList = { limit: undefined, offset: 0 };

  test.each([
    [wholeList, undefined, wholeList],
    [wholeList, "bytes=0-1", wholeList],
    [wholeList, "0-9", { offset: 0, limit: 10 }],
    [wholeList, "5-", { offset: 5, limit: undefined }],
    [{ offset: 2, limit: undefined }, "0-3", { offset: 2, limit: undefined }],
    [{ offset: 0, limit: 0 }, "0-3", { offset: 0, limit: 0 }],
  ])("a request for the page %j with the Range header %s gets the page %j", (page, header, expected) => {
    expect(withRange(page, header)).toEqual(expected);
  });

  test("a range that ends before its start gets 416", () => {
    expect(() => withRange(wholeList, "1-0")).toThrow(
      expect.objectContaining({ status: 416, code: "PGRST103" }),
    );
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
