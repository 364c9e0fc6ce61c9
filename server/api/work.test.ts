// The CPU time of the main thread for the worst bodies that the limits on bytes allow.
import { performance } from "node:perf_hooks";
import { describe, expect, test } from "vitest";
import { parsePayload } from "../rest/parse/body.ts";
import { readUpload } from "../storage/read-upload.ts";
import { parseObject } from "./inspect-json.ts";

const MB = 1024 * 1024;
const MAX_MS = 50;
const TRIES = 5;

/** Returns the least CPU time of several tries: other programs and the garbage collector can only add to it. */
function cpuOf(work: () => unknown): number {
  const times = Array.from({ length: TRIES }, () => {
    const before = process.cpuUsage();
    const start = performance.now();
    try {
      work();
    } catch {
      // The body is rejected.
    }
    const { user, system } = process.cpuUsage(before);
    // Other threads count toward the CPU time, but not toward the time on the clock.
    return Math.min((user + system) / 1_000, performance.now() - start);
  });
  return Math.min(...times);
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
    const rows = `[${Array.from({ length: 20_000 }, (_, index) => `{"a":${index},"b":"x","c":null,"d":0,"e":1}`)}]`;
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
