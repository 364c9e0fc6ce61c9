import { expect, test } from "vitest";
import { expectLinearWork } from "../../tests/support/growth.ts";
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

/** Runs of backquotes, each longer than the one before. */
function backquotes(length: number): string {
  const runs = Math.sqrt(2 * length);
  return Array.from({ length: runs }, (_, n) => "`".repeat(n)).join(" ");
}

test.each([
  ["longer and longer runs of backquotes", backquotes],
  ["runs of one to three backquotes", (length: number) => "` `` ``` ".repeat(length / 9)],
  ["comments that are never closed", (length: number) => "<!--".repeat(length / 4)],
  ["fences", (length: number) => "~~~\n".repeat(length / 4)],
])("the work of removing the comments from a text with %s grows with its length", (_, textOf) => {
  expectLinearWork(2_000_000, textOf, withoutComments);
});
