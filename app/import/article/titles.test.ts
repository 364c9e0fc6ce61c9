import { expect, test } from "vitest";
import { readArticle } from "./read-article.ts";
import { decodeTitle } from "./titles.ts";

const NOW = new Date("2026-06-15T12:00:00Z");

test.each([
  ["Don&#8217;t panic &amp; carry on", "Don’t panic & carry on"],
  ["&quot;Quoted&quot; &ndash; &#x1F600; caf&eacute;", '"Quoted" – 😀 café'],
  ["It&#146;s", "It’s"],
  ["two&#13;&#10;lines", "two  lines"],
  ["a&#9;tab, &#159; and &#x10ffff;", "a tab, Ÿ and \u{10ffff}"],
  ["&#31;&#32;&#xdfff;&#xe000;&#x110000;", "&#31; &#xdfff;\ue000&#x110000;"],
  ["a &lt;b&gt; c&nbsp;d", "a <b> c\u00a0d"],
  ["AT&T; R&D &nosuchname; &#0; &#xD800; & &amp", "AT&T; R&D &nosuchname; &#0; &#xD800; & &amp"],
])("the title %j is decoded as %j", (title, expected) => {
  expect(decodeTitle(title)).toBe(expected);
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
  ["## Title ## {: .big}", "Title"],
  ["Some *under*\nlined\n===", "Some under lined"],
  ["## Before\n\n# Main", "Main"],
  ["> # quoted\n\n# Mine", "Mine"],
  ["#これは**重要。**です\n\n# これは**重要。**です", "これは重要。です"],
  ["~~~\n# code\n~~~\n\n    # code\n\ntext", "file"],
])("the article %j gets the title %j", (text, title) => {
  expect(readArticle(text, "file.md", NOW, NOW).fields.title).toBe(title);
});

test.each([
  ["# Joins\n\nText", "", "Text"],
  ["\n# Joins #\r\n\r\n    code\r\n", "", "\n    code\r\n"],
  ["Joins\n=====\nText\n\n# More", "", "Text\n\n# More"],
  ["Before\n# Joins\nText", "", "Before\n\nText"],
  ["Before\n\n# Joins\n\nText", "", "Before\n\nText"],
  ["<!-- more -->\n# Joins\nText", "", "<!-- more -->\n\nText"],
  ["## Joins\n\nText\n\n## More", "", "Text\n\n## More"],
  ["# Joins", "", "# Joins"],
  ["# Joins\n\nText", "Joins", "Text"],
  ["# Joins\n\nText", "Hash joins", "# Joins\n\nText"],
  ["Text\n\n# Joins", "Joins", "Text\n\n# Joins"],
  ["# [Joins](https://joins.test)\n\nText", "", "# [Joins](https://joins.test)\n\nText"],
  ["# ![](logo.png) Joins\n\nText", "", "# ![](logo.png) Joins\n\nText"],
  ["```\n# Joins\n```\n\nText", "", "```\n# Joins\n```\n\nText"],
])(
  "the text %j of an article with the title %j is %j without the heading that is its title",
  (text, title, rest) => {
    const fields = title ? `---\ntitle: ${title}\n---\n` : "---\nlayout: post\n---\n";
    // The line end after the front matter belongs to neither.
    const { fields: read } = readArticle(`${fields}\n${text}`, "a.md", NOW, NOW);
    expect(read["content"]).toBe(rest);
  },
);
