import fc from "fast-check";
import { expect, test } from "vitest";
import { excerpt } from "./excerpt.ts";

test("the excerpt of any string without HTML comments is its first 150 characters and three dots", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), (content) => {
      const shown = excerpt(content);
      expect(shown.endsWith("...")).toBe(true);
      const characters = Array.from(shown.slice(0, -3));
      expect(characters).toEqual(Array.from(content).slice(0, 150));
    }),
  );
});

test.each([
  [149, 149],
  [150, 150],
  [151, 150],
])("the excerpt of content with %d characters has %d characters before the dots", (length, expected) => {
  expect(excerpt("x".repeat(length))).toBe(`${"x".repeat(expected)}...`);
});

test("the excerpt of a short text also ends with three dots", () => {
  expect(excerpt("")).toBe("...");
  expect(excerpt("Short.")).toBe("Short....");
});

test("an excerpt keeps Markdown syntax and HTML tags unchanged, but omits HTML comments", () => {
  expect(excerpt("# **Title**\n\n[a](b) <b>")).toBe("# **Title**\n\n[a](b) <b>...");
  expect(excerpt("One <!-- hidden -->two")).toBe("One two...");
});

test("an excerpt does not split a surrogate pair", () => {
  expect(excerpt(`${"x".repeat(149)}😀y`)).toBe(`${"x".repeat(149)}😀...`);
  expect(excerpt("😀".repeat(200))).toBe(`${"😀".repeat(150)}...`);
});
