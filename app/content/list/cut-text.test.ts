import { expect, test } from "vitest";
import { MAX_CHARACTERS } from "../../../common/data/limits.ts";
import { expectLinearWork } from "../../../tests/support/growth.ts";
import { cutCode, cutMarkdown, mayNeedDefinitions } from "./cut-text.ts";

const MAX_CARD_CHARACTERS = MAX_CHARACTERS.card;

const paragraphs = (characters: number) =>
  Array.from({ length: Math.ceil(characters / 100) }, (_, n) => `${n} `.padEnd(98, "x")).join("\n\n");

test("a text of at most 20,000 characters is not cut, whatever the characters", () => {
  for (const character of ["a", "é", "😀", "\n"]) {
    const longest = character.repeat(MAX_CARD_CHARACTERS);
    expect([cutMarkdown(longest), cutCode(longest)]).toEqual([null, null]);
    expect(cutMarkdown(`${longest}${character}`)).not.toBeNull();
    expect(cutCode(`${longest}${character}`)).not.toBeNull();
  }
  expect([cutMarkdown(""), cutCode("")]).toEqual([null, null]);
});

test("a long article is cut after the last paragraph that fits", () => {
  const text = paragraphs(50_000);
  expect(cutMarkdown(text)).toBe(text.slice(0, MAX_CARD_CHARACTERS - 2));
  // A line that ends exactly at the limit may not be the last one of its paragraph, so the cut is before it.
  const shifted = `xx${text}`;
  expect(cutMarkdown(shifted)).toBe(shifted.slice(0, MAX_CARD_CHARACTERS - 100));
  expect(cutMarkdown(`x${shifted}`)).toBe(`x${shifted}`.slice(0, MAX_CARD_CHARACTERS - 99));
  expect(cutMarkdown(text.replaceAll("\n\n", "\r\n\r\n"))).toMatch(/\d+ x+$/);
});

test.each([
  ["```", "```"],
  ["~~~js", "~~~"],
  ["- ```", "  ```"],
  ["> ````sql", "> `````"],
])("a long article is not cut at a blank line in code that %s begins", (open, close) => {
  const before = paragraphs(18_000);
  const code = `${open}\n${"line\n\n".repeat(2_000)}${close}`;
  expect(cutMarkdown(`${before}\n\n${code}\n\n${paragraphs(9_000)}`)).toBe(before);
  const closed = `${open}\nline\n\nline\n${close}\n\n${paragraphs(40_000)}`;
  expect(cutMarkdown(closed)?.length).toBeGreaterThan(19_800);
});

test.each([
  ["another language", "```js"],
  ["fewer marks", "``"],
  ["other marks", "~~~~"],
])("a line with %s doesn't end the code before a blank line", (_, line) => {
  const before = paragraphs(18_000);
  const code = `\`\`\`\n${line}\n${"line\n\n".repeat(2_000)}`;
  expect(cutMarkdown(`${before}\n\n${code}`)).toBe(before);
});

test.each(["```", "```  ", "`````"])("the line “%s” ends code that begins with ```", (close) => {
  const text = `\`\`\`\n${"x".repeat(15_000)}\n${close}\n\nafter`;
  expect(cutMarkdown(`${text}\n\n${"y".repeat(20_000)}`)).toBe(text);
});

test("a paragraph's lines of blanks count as blank, and its first word is never cut to nothing", () => {
  expect(cutMarkdown(`${"x".repeat(15_000)}\n \t\n${"y ".repeat(9_000)}`)).toBe("x".repeat(15_000));
  expect(cutCode(` ${"x".repeat(30_000)}`)).toBe(` ${"x".repeat(MAX_CARD_CHARACTERS - 1)}`);
  expect(cutCode(`\n${"x".repeat(9)} ${"x".repeat(30_000)}`)).toBe(`\n${"x".repeat(9)}`);
});

test("a definition in the shown part isn't repeated at the end", () => {
  const cut = cutMarkdown(`[a]: https://x.test\n\n${paragraphs(40_000)}`);
  expect(cut?.split("https://x.test").length).toBe(2);
});

test("a paragraph or code block that is too long is cut after a line, if possible, otherwise after a word or a character", () => {
  const lines = "a line of words\n".repeat(3_000);
  expect(cutMarkdown(lines)).toMatch(/a line of words$/);
  expect(cutMarkdown(lines.replaceAll("\n", " "))).toMatch(/ (a|line|of|words)$/);
  expect(cutMarkdown("字".repeat(30_000))).toBe("字".repeat(MAX_CARD_CHARACTERS));
  expect(cutMarkdown("😀".repeat(30_000))).toBe("😀".repeat(MAX_CARD_CHARACTERS));
  expect(cutMarkdown(`\`\`\`\n${"code\n".repeat(9_000)}`)).toMatch(/^```\ncode\n(code\n)+code$/);
});

test("links and footnotes in the beginning of a long article keep the definitions at its end", () => {
  const end = "[1]: https://x.test\n\n[^note]: A note.";
  const cut = cutMarkdown(`[a][1] and[^note]\n\n${paragraphs(40_000)}\n\n${end}`);
  expect(cut).toMatch(/^\[a\]\[1\]/);
  expect(cut?.endsWith("\n\n[1]: https://x.test\n[^note]: A note.")).toBe(true);
  const hostile = cutMarkdown(`${paragraphs(40_000)}\n\n${"[a]: b\n".repeat(60_000)}`);
  expect(hostile?.length).toBeLessThanOrEqual(2 * MAX_CARD_CHARACTERS + 2);
});

test.each([
  ["[a][1]", true],
  ["[a]", true],
  ["a[^note]", true],
  ["![a][]", true],
  ["[a](b) ![c](d)", false],
  ["plain", false],
])("whether %j may need definitions that follow it: %j", (text, expected) => {
  expect(mayNeedDefinitions(text)).toBe(expected);
});

test("long code is cut after a line", () => {
  const code = Array.from({ length: 4_000 }, (_, n) => `print(${n})`).join("\n");
  const cut = cutCode(code) ?? "";
  expect(code.startsWith(`${cut}\n`)).toBe(true);
  expect(cut.length).toBeGreaterThan(MAX_CARD_CHARACTERS - 12);
});

test.each(["`", "> ", "- ", "\n", " \n", "~~~\n", "[a]: ", "1."])(
  "the work of cutting a text of 500,000 characters that repeats %j grows with its length",
  (part) => {
    const textOf = (length: number) => part.repeat(length / part.length);
    expect(cutMarkdown(textOf(500_000))?.length).toBeLessThanOrEqual(2 * MAX_CARD_CHARACTERS + 2);
    expectLinearWork(500_000, textOf, cutMarkdown);
  },
);
