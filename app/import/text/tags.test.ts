import { expect, test } from "vitest";
import { listOf, quoteTag, templateTags, tokensOf } from "./tags.ts";

test.each<[tag: string, tokens: [name: string, value: string][]]>([
  [
    "<img SRC = \"{% link a.png %}\" alt='a <b'>",
    [
      ["src", "{% link a.png %}"],
      ["alt", "a <b"],
    ],
  ],
  ['<img src="{{< base >}}/a.png"/>', [["src", "{{< base >}}/a.png"]]],
  [
    "{{< figure src=a.png />}}",
    [
      ["", "figure"],
      ["src", "a.png"],
    ],
  ],
  [
    "{%- img a.png -%}",
    [
      ["", "img"],
      ["", "a.png"],
    ],
  ],
  [
    "{% img a.png %}",
    [
      ["", "img"],
      ["", "a.png"],
    ],
  ],
])("the inside of the tag %s is split into %j", (tag, tokens) => {
  expect(tokensOf(tag).map(({ name, value }) => [name, value])).toEqual(tokens);
});

test("a template tag that is never closed doesn't contain the next tag", () => {
  const text = "Write {{< and {{< youtube x >}}, {% and {% img a.png %}";
  expect(templateTags(text).map(({ start, end }) => text.slice(start, end))).toEqual([
    "{{< youtube x >}}",
    "{% img a.png %}",
  ]);
});

test("a tag of more than 60 characters is shortened, on one line", () => {
  expect(quoteTag(`{{\n ${"x".repeat(57)}`)).toBe(`{{ ${"x".repeat(57)}`);
  expect(quoteTag(`{{\n ${"x".repeat(58)}`)).toBe(`{{ ${"x".repeat(57)}…`);
});

test("a list of more than ten names ends with the number of the others", () => {
  const names = Array.from({ length: 12 }, (_, n) => `${n}.md`);
  const ten = names.slice(0, 10).join(", ");
  expect(listOf(names.slice(0, 10))).toBe(ten);
  expect(listOf(names)).toBe(`${ten} and 2 more`);
});
