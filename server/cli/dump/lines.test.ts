import fc from "fast-check";
import { expect, test } from "vitest";
import { splitLines } from "./lines.ts";

async function split(chunks: Buffer[]): Promise<string[]> {
  async function* stream() {
    yield* chunks;
  }
  const lines: string[] = [];
  for await (const line of splitLines(stream())) lines.push(line.toString());
  return lines;
}

test("a dump is split only at line feeds, regardless of chunk boundaries", async () => {
  const line = fc.string({ unit: fc.constantFrom("a", "é", "\u2028", "\r", "\u0085", "𝄞", "\\") });
  const cases = fc.tuple(fc.array(line, { maxLength: 6 }), fc.integer({ min: 1, max: 5 }));
  await fc.assert(
    fc.asyncProperty(cases, async ([lines, size]) => {
      const bytes = Buffer.from(lines.map((each) => `${each}\n`).join(""));
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      expect(await split(chunks)).toEqual(lines);
    }),
  );
});

test("the last line of a dump needs no line feed", async () => {
  expect(await split([Buffer.from("one\ntw"), Buffer.from("o")])).toEqual(["one", "two"]);
});
