import { expect, test } from "vitest";
import { parseStrictly } from "../../tests/support/strict-html.ts";
import { withoutComments } from "./comments.ts";
import { renderMarkdown } from "./markdown.ts";

const textOf = (markdown: string) => parseStrictly(renderMarkdown(markdown)).text.replace(/\s+/g, " ").trim();

test.each([
  ["First.\n\n<!--more-->\n\nSecond.", "First. Second."],
  ["<!-- note to\n\nmyself -->\n\nText", "Text"],
  ["One, <!-- inline --> two.", "One, two."],
  ["One,\n<!-- between lines -->\ntwo.", "One, two."],
  ["# Title <!-- omit in toc -->\n\nText", "Title Text"],
  ["- a\n  <!-- note -->\n- b", "a b"],
  ["> said <!-- by me -->", "said"],
  ["| a <!-- x --> |\n| - |\n| <!-- y --> b |", "a b"],
  ["empty <!----> and <!--> and <!---> ones", "empty and and ones"],
  ["<!-- note -->Text with **bold** words\nand more.\n\nNext", "Text with bold words and more. Next"],
  ["- a\n\n<!-- -->\n\n- b", "a b"],
  ["<div><!-- in HTML --></div>", "<div></div>"],
  ["`<!-- code -->`", "<!-- code -->"],
  ["    <!-- code -->", "<!-- code --> Copy"],
  ["an arrow <-- and a <!- stay, as does <!-- this", "an arrow <-- and a <!- stay, as does <!-- this"],
])("the Markdown %j is shown as %j", (markdown, shown) => {
  expect(textOf(markdown)).toBe(shown);
});

test.each([
  ["a<!-- x -->b", "ab"],
  ["a<!-- x\n\ny -->b<!---->c<!-->d<!--->e", "abcde"],
  ["`<!-- a -->` <!-- b -->", "`<!-- a -->` "],
  ["``<!-- ` --> `` <!-- b -->", "``<!-- ` --> `` "],
  ["```html\n<!-- a -->\n```\n<!-- b -->", "```html\n<!-- a -->\n```\n"],
  ["~~~\n<!-- a -->\n~~~\n<!-- b -->", "~~~\n<!-- a -->\n~~~\n"],
  ["a ` lone <!-- b -->", "a ` lone "],
  ["~~gone~~ <!-- b -->", "~~gone~~ "],
  ["never closed <!-- b", "never closed <!-- b"],
  ["<!-- a `b` -->`c`", "`c`"],
])("removing the comments from %j leaves %j", (markdown, expected) => {
  expect(withoutComments(markdown)).toBe(expected);
});

test("removing the comments from long hostile strings takes less than five seconds", () => {
  const hostile = [
    Array.from({ length: 2_000 }, (_, n) => "`".repeat(n)).join(" "),
    "` `` ``` ".repeat(200_000),
    "<!--".repeat(500_000),
    "~~~\n".repeat(300_000),
  ];
  const start = performance.now();
  for (const text of hostile) withoutComments(text);
  expect(performance.now() - start).toBeLessThan(5_000);
});
