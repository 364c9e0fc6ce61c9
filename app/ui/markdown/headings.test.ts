import { expect, test } from "vitest";
import { parseStrictly } from "../../../tests/support/strict-html.ts";
import { renderMarkdown } from "./markdown.ts";

const headingsOf = (markdown: string) =>
  parseStrictly(renderMarkdown(markdown, true))
    .elements.filter(({ name }) => /^h[1-6]$/.test(name))
    .map(({ name, attributes }) => [name, attributes["id"]]);

test("headings of an item's page begin below its title and have ids of their words", () => {
  expect(headingsOf("# Read *EXPLAIN*, inside out\n\n## Γειά σου\n\n### 3 `code`")).toEqual([
    ["h2", "section-read-explain-inside-out"],
    ["h3", "section-γειά-σου"],
    ["h4", "section-3-code"],
  ]);
});

test("a text whose headings begin at another level leaves none out below the title", () => {
  expect(headingsOf("## A\n\n#### B\n\n## C").map(([level]) => level)).toEqual(["h2", "h4", "h2"]);
  expect(headingsOf("Text[^1]\n\n[^1]: Note").map(([level]) => level)).toEqual(["h2"]);
});

test("equal headings have different ids, and one without words has one too", () => {
  expect(headingsOf("# A\n\n# A\n\n# a\n\n# !?\n\n# main").map(([, id]) => id)).toEqual([
    "section-a",
    "section-a--2",
    "section-a--3",
    "section-heading",
    "section-main",
  ]);
});

test("each heading leads to itself and says nothing more", () => {
  const { elements, text } = parseStrictly(renderMarkdown("## Plans", true));
  const anchor = elements.find(({ name }) => name === "a");
  expect(anchor?.attributes).toMatchObject({ href: "#section-plans", "aria-hidden": "true", tabindex: "-1" });
  expect(text).toBe("Plans");
});

test("a text's own table of contents leads to its headings", () => {
  const headings = "# What's new?\n\n# Γειά σου\n\n# Read & write\n\n# section-what";
  const links =
    "[a](#whats-new) [b](#γειά-σου) [c](#read--write) [d](#nowhere) [e](#%zz) [f](https://x.test/#a)";
  for (const isPage of [true, false]) {
    const { elements } = parseStrictly(renderMarkdown(`${links}\n\n${headings}`, isPage));
    const hrefs = elements
      .filter(({ name, attributes }) => name === "a" && !attributes["aria-hidden"])
      .map(({ attributes }) => decodeURI(attributes["href"]?.replace("%zz", "") ?? ""));
    expect(hrefs).toEqual([
      "#section-whats-new",
      "#section-γειά-σου",
      "#section-read--write",
      "#nowhere",
      "#",
      "https://x.test/#a",
    ]);
  }
});

test("the heading of the footnotes keeps its own id", () => {
  const html = renderMarkdown("# A\n\nText[^1]\n\n[^1]: Note", true);
  expect(html.match(/id="note-[^"]*footnote-label"/g)).toHaveLength(1);
});
