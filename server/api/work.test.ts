// The CPU time of the main thread for the worst bodies, pictures and URLs that the limits on bytes allow, and for random
// ones. tests/operation/work.test.ts measures whole requests.
import { performance } from "node:perf_hooks";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readPictureHeader } from "../../common/pictures/picture-header.ts";
import { LIMITS } from "../config/limits.ts";
import { parsePayload } from "../rest/parse/body.ts";
import { readParameters } from "../rest/parse/query.ts";
import { parseCall, parseRead } from "../rest/parse/request.ts";
import { readUpload } from "../storage/read-upload.ts";
import { parseObject } from "./inspect-json.ts";

const MB = 1024 * 1024;
const MAX_MS = 50;
const TRIES = 5;

/**
 * Returns the least CPU time of several tries: other programs and the garbage collector can only add to it. Stops trying
 * once the time is less than `enoughMs`.
 */
function cpuOf(work: () => unknown, enoughMs = 0): number {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < TRIES && least >= enoughMs; attempt++) {
    const before = process.cpuUsage();
    const start = performance.now();
    try {
      work();
    } catch {
      // The body is rejected.
    }
    const { user, system } = process.cpuUsage(before);
    // Other threads count toward the CPU time, but not toward the time on the clock.
    least = Math.min(least, (user + system) / 1_000, performance.now() - start);
  }
  return least;
}

/** 50 ms, or 20 times an ordinary body of 2 MB where the machine is busy. */
const ordinary = JSON.stringify({ title: "x", content: "A long text. ".repeat(160_000) });
const maxMs = () => Math.max(MAX_MS, 20 * cpuOf(() => parsePayload(ordinary)));

const fill = (bytes: number, part: (index: number) => string, separator = ",") => {
  const parts: string[] = [];
  for (let size = 0; size < bytes; size += (parts.at(-1)?.length ?? 0) + 1) parts.push(part(parts.length));
  return parts.join(separator);
};

const REJECTED: Record<string, string> = {
  "empty lists": `[${fill(2 * MB - 10, () => "[]")}]`,
  "empty objects": `[${fill(2 * MB - 10, () => "{}")}]`,
  "numbers in one field": `{"a":[${fill(2 * MB - 20, () => "1")}]}`,
  "one object with many fields": `{${fill(2 * MB - 10, (index) => `"k${index}":1`)}}`,
  "rows with different fields": `[${fill(2 * MB - 10, (index) => `{"k${index}":1}`)}]`,
  "nested objects with different fields": `{"a":[${fill(2 * MB - 20, (index) => `{"k${index}":1}`)}]}`,
  "deep lists": "[".repeat(2 * MB),
  "an escaped text that ends too early": `{"a":"${fill(2 * MB - 20, () => "\\u00e9", "")}`,
  "escaped backslashes and a NUL": `{"a":"${"\\\\".repeat(MB - 20)}\\u0000"}`,
  blanks: `[${" ".repeat(2 * MB - 10)}1]`,
  "a long number": `{"a":${"1".repeat(2 * MB - 10)}x}`,
  quotes: '"'.repeat(2 * MB),
};

describe("the main thread's work for bodies", () => {
  test.each(Object.entries(REJECTED))("2 MB of %s are rejected within 50 ms", (_, text) => {
    expect(() => parsePayload(text)).toThrow();
    expect(cpuOf(() => parsePayload(text))).toBeLessThan(maxMs());
  });

  test("the most rows and values of a body take at most 20 times as long as one text of the same size", () => {
    const { jsonValues, data } = LIMITS;
    const fields = Array.from(
      { length: Math.floor(jsonValues / data.rows) - 2 },
      (_, index) => `"f${index}":${index}`,
    );
    const rows = `[${Array(data.rows).fill(`{${fields}}`)}]`.slice(0, 2 * MB);
    const text = JSON.stringify({ a: "x".repeat(rows.length) });
    parsePayload(rows);
    parsePayload(text);
    expect(cpuOf(() => parsePayload(rows))).toBeLessThan(
      Math.max(
        1,
        cpuOf(() => parsePayload(text)),
      ) * 20,
    );
  });

  test.each(["empty lists", "one object with many fields"])(
    "256 kB of %s are rejected within 50 ms where a request needs the values",
    (name) => {
      const bytes = Buffer.from((REJECTED[name] ?? "").slice(0, 256 * 1024));
      expect(cpuOf(() => parseObject(bytes))).toBeLessThan(maxMs());
    },
  );

  test.each([
    ["many fields", '\r\ncontent-disposition: form-data; name="a"\r\n\r\nx\r\n--b'],
    ["many delimiters without content", "\r\n\r\n--b"],
    ["almost delimiters", "\r\n--a"],
  ])("a form of 5 MB with %s is rejected within 50 ms", (_, part) => {
    const form = new TextEncoder().encode(`--b${part.repeat((5 * MB) / part.length)}`);
    const headers = new Headers({ "content-type": "multipart/form-data; boundary=b" });
    const read = () => readUpload(form, headers, 5 * MB);
    expect(read).toThrow();
    expect(cpuOf(read)).toBeLessThan(maxMs());
  });
});

const RUNS = 60;
const limit = maxMs();
const expectQuick = (work: () => unknown) => expect(cpuOf(work, limit)).toBeLessThan(limit);

/** Texts that repeat a few fragments, which is how a small input makes a parser do much work. */
const repeated = (fragments: fc.Arbitrary<string>, length: number) =>
  fc
    .tuple(fc.array(fragments, { minLength: 1, maxLength: 4 }), fc.array(fragments, { maxLength: 2 }))
    .map(([parts, start]) => {
      const part = parts.join("") || " ";
      return start.join("") + part.repeat(Math.ceil(length / part.length)).slice(0, length);
    });

describe("the main thread's work for random input", () => {
  const json = fc.oneof(
    fc.constantFrom(...'[]{},:"\\', "null", "1e9", '"a":', "\\u0000", "\\ud800", "[[", "{}", " ", "\n"),
    fc.json({ maxDepth: 2 }),
    fc.json({ maxDepth: 1 }).map((text) => `{"a":${text}},`),
    fc.string({ maxLength: 5, unit: "grapheme" }),
  );

  test("2 MB of random JSON take at most 50 ms", () => {
    const body = fc.tuple(fc.constantFrom("", "[", "{", '{"a":', '[{"a":', '{"a":"'), repeated(json, 2 * MB));
    fc.assert(
      fc.property(body, ([start, rest]) => {
        expectQuick(() => parsePayload((start + rest).slice(0, 2 * MB)));
      }),
      { numRuns: RUNS },
    );
  });

  const grammar = fc.constantFrom(
    ...'( ) , . : ! * - -> :: ... " \\ { } or and not. not.and( and(a.eq.1, in.( is.null eq. ilike. a b title profiles( count() desc & = % %22 %5C +'.split(
      " ",
    ),
    " ",
  );
  const parameter = fc.constantFrom(
    "select=",
    "order=",
    "or=(",
    "and=(",
    "columns=",
    "title=",
    "title=in.(",
    "a.b=",
    "",
  );

  test("a URL of 8,000 random characters takes at most 50 ms", () => {
    const url = fc
      .tuple(parameter, repeated(grammar, 8_000))
      .map(([start, rest]) => `http://a/rest/v1/articles?${start}${rest}`.slice(0, 8_100));
    const headers = new Headers();
    fc.assert(
      fc.property(url, (address) => {
        const incoming = () => ({
          method: "GET",
          parameters: readParameters(address),
          headers,
          bytes: undefined,
        });
        expectQuick(() => parseRead(incoming()));
        expectQuick(() => parseCall(incoming(), new Set(["a"])));
      }),
      { numRuns: 5 * RUNS },
    );
  });

  const latin1 = (text: string) => Buffer.from(text, "latin1");
  const start = fc.constantFrom(
    latin1("\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0\0\0\0\0"),
    latin1("\xff\xd8"),
    latin1("GIF89a\x01\0\x01\0\0\0\0"),
    latin1("RIFF\0\0\0\0WEBPVP8X"),
    latin1("\0\0\0\x14ftypavif\0\0\0\0avif"),
    latin1("\0\0\0\x14ftypavif\0\0\0\0avif\0\x40\0\0meta\0\0\0\0"),
    latin1("\0\0\0\x14ftypavif\0\0\0\0avif\0\x40\0\0meta\0\0\0\0\0\x3f\0\0iprp\0\x3e\0\0ipco"),
    latin1("\0\x40\0\0ftypavif"),
  );
  const part = fc.oneof(
    fc.constantFrom(
      ...[
        "\0\0\0\0noIs\0\0\0\0",
        "\xff\xe0\0\x02",
        "\xff\xd0",
        "\xff",
        "\0",
        "!\xfe\0",
        "!\xfe\x01a\0",
        "\0\0\0\x08free",
      ].map(latin1),
    ),
    fc.uint8Array({ minLength: 1, maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
  );

  test("a file of 5 MB that starts like a picture takes at most 50 ms", () => {
    fc.assert(
      fc.property(start, fc.array(part, { minLength: 1, maxLength: 3 }), (first, parts) => {
        const bytes = Buffer.alloc(5 * MB, Buffer.concat(parts));
        first.copy(bytes);
        expectQuick(() => readPictureHeader(bytes));
      }),
      { numRuns: 3 * RUNS },
    );
  });
});
