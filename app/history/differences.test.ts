import { expect, test } from "vitest";
import { differencesOf, withoutUnchanged } from "./differences.ts";

const markDifferences = (current: string, version: string, isCode = false) =>
  differencesOf(current, version, isCode)
    ?.map(({ change, text }) => (change === "same" ? text : change === "added" ? `[+${text}]` : `[-${text}]`))
    .join("");

test("two versions of a text are compared by word", () => {
  expect(markDifferences("A long day", "A short day")).toBe("A [-long][+short] day");
  expect(markDifferences("Grüße aus Köln", "Grüße aus Bonn")).toBe("Grüße aus [-Köln][+Bonn]");
});

test("two versions of code are compared by line", () => {
  expect(markDifferences("a = 1\nb = 2\n", "a = 1\nb = 3\n", true)).toBe("a = 1\n[-b = 2\n][+b = 3\n]");
});

test("long texts with nothing in common are not compared", () => {
  const words = (prefix: string) =>
    Array.from({ length: 60_000 }, (_, index) => `${prefix}${index}`).join(" ");
  expect(differencesOf(words("a"), words("b"), false)).toBeNull();
});

test("unchanged text is shortened to the words or lines next to the differences", () => {
  const words = "word ".repeat(100);
  const parts = differencesOf(`${words}old ${words}`, `${words}new ${words}`, false) ?? [];
  const [before, , , after] = withoutUnchanged(parts, false);
  expect(before?.text.startsWith(" … ")).toBe(true);
  expect(before?.text).toHaveLength(123);
  expect(after?.text.endsWith(" … ")).toBe(true);

  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join("");
  const code = withoutUnchanged(differencesOf(`${lines}old\n`, `${lines}new\n`, true) ?? [], true);
  expect(code[0]?.text).toBe("…\nline 17\nline 18\nline 19\n");
});
