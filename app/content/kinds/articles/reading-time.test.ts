import { expect, test } from "vitest";
import { renderMarkdown } from "../../../../common/markdown/markdown.ts";
import { readingMinutes } from "./reading-time.ts";

const minutes = (markdown: string) => readingMinutes(renderMarkdown(markdown, true, "/articles/1"));

test("the reading time counts words or, in languages without spaces, characters", () => {
  expect(minutes("")).toBe(1);
  expect(minutes("word ".repeat(1_150))).toBe(5);
  expect(minutes("слово ".repeat(1_150))).toBe(5);
  expect(minutes("字".repeat(2_500))).toBe(5);
});

test("the reading time ignores markup and the table of contents", () => {
  const headings = "# Some words in a heading\n\n".repeat(60);
  expect(minutes(headings)).toBe(1);
  expect(minutes("[a](https://x.test/with/a/long/address) ".repeat(230))).toBe(1);
});

test("words in neighboring elements are counted apart, and so are words around Chinese text", () => {
  expect(minutes("one\n\n".repeat(460))).toBe(2);
  expect(minutes("a字".repeat(460))).toBe(3);
});
