import { expect, test } from "vitest";
import { readArticle } from "./read-article.ts";
import { decodeEntities } from "./titles.ts";

const NOW = new Date("2026-06-15T12:00:00Z");

test.each([
  ["Don&#8217;t panic &amp; carry on", "Don’t panic & carry on"],
  ["&quot;Quoted&quot; &ndash; &#x1F600; caf&eacute;", '"Quoted" – 😀 café'],
  ["It&#146;s", "It’s"],
  ["two&#13;&#10;lines", "two  lines"],
  ["a &lt;b&gt; c&nbsp;d", "a <b> c\u00a0d"],
  ["AT&T; R&D &nosuchname; &#0; &#xD800; & &amp", "AT&T; R&D &nosuchname; &#0; &#xD800; & &amp"],
])("the title %j is decoded as %j", (title, expected) => {
  expect(decodeEntities(title)).toBe(expected);
});

test("a title from a Techfolio archive keeps its entities", () => {
  const id = "0b9c2a54-1111-4111-8111-111111111111";
  const { fields } = readArticle(`---\nid: ${id}\ntitle: "a &amp; b"\n---\nText`, "a.md", NOW, NOW);
  expect(fields.title).toBe("a &amp; b");
});

test.each([
  ["# Using [psql](https://x.test) with **bold** `code` &amp; more", "Using psql with bold code & more"],
  ["```not a fence``` starts this line.\n\n# The real heading", "The real heading"],
  ["# A ![badge](b.svg) title <!-- omit in toc -->", "A title"],
  ["# Two\\\nlines {#two-lines}", "Two\\"],
  ["# Title {#my-id}", "Title"],
  ["## Title ## {: .big}", "Title ##"],
  ["Some *under*\nlined\n===", "Some under lined"],
  ["## Before\n\n# Main", "Main"],
  ["> # quoted\n\n# Mine", "Mine"],
  ["#これは**重要。**です\n\n# これは**重要。**です", "これは重要。です"],
  ["~~~\n# code\n~~~\n\n    # code\n\ntext", "file"],
])("the article %j gets the title %j", (text, title) => {
  expect(readArticle(text, "file.md", NOW, NOW).fields.title).toBe(title);
});
