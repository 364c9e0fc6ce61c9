import { expect, test } from "vitest";
import { alternativeText, findPlaceholder, placeholderAddress, withoutPlaceholders } from "./placeholder.ts";

test.each([
  ["Query plan.final.png", "Query plan.final"],
  ["a[1]\\b.jpeg", "a 1 b"],
  ["it`s `all`.png", "it's 'all'"],
  ["  .png", "Picture"],
  ["image", "image"],
])("the alternative text for the file %j is %j", (file, text) => {
  expect(alternativeText(file)).toBe(text);
});

test("the placeholders of unfinished uploads are removed, and the rest of the text is kept", () => {
  const done = "![a](/storage/v1/object/public/pictures/x/y.webp)";
  expect(
    withoutPlaceholders(`One ![a](uploading:1-2)\n\n![b \\] c](uploading:3)\n\n${done} uploading:4 (x)`),
  ).toBe(`One \n\n${done} uploading:4 (x)`);
  expect(withoutPlaceholders("![a](https://example.com/a.png)")).toBe("![a](https://example.com/a.png)");
});

test("a placeholder is found by its URL, even if the member has changed the alternative text", () => {
  const text = `Before ![new name](${placeholderAddress("b")})\n\n![x](${placeholderAddress("c")}) after`;
  const first = findPlaceholder(text, placeholderAddress("b"));
  expect(text.slice(first?.start, first?.end)).toBe("![new name](uploading:b)");
  const second = findPlaceholder(text, placeholderAddress("c"));
  expect(text.slice(second?.start, second?.end)).toBe("\n\n![x](uploading:c)");
  expect(findPlaceholder(text, placeholderAddress("d"))).toBeUndefined();
});
