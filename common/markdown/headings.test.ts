import { expect, test } from "vitest";
import { parseStrictly } from "../../tests/support/strict-html.ts";
import { renderMarkdown } from "./markdown.ts";

const headingsOf = (markdown: string) =>
  parseStrictly(renderMarkdown(markdown, true))
    .elements.filter(({ name }) => /^h[1-6]$/.test(name))
    .map(({ name, attributes }) => [name, attributes["id"]]);

const CONTENTS = /<details.*?<\/details>/s;

const linksOf = (html: string) =>
  parseStrictly(html.replace(CONTENTS, ""))
    .elements.filter(({ name, attributes }) => name === "a" && !attributes["aria-hidden"])
    .map(({ attributes }) => decodeURI(attributes["href"]?.replace("%zz", "") ?? ""));

test("headings on an item's page start one level below the title and have ids made from their text", () => {
  expect(headingsOf("# Read *EXPLAIN*, inside out\n\n## Γειά σου\n\n### 3 `code`")).toEqual([
    ["h2", "section-read-explain-inside-out"],
    ["h3", "section-γειά-σου"],
    ["h4", "section-3-code"],
  ]);
});

test("headings are shifted so that the highest is one level below the title", () => {
  expect(headingsOf("## A\n\n#### B\n\n## C").map(([level]) => level)).toEqual(["h2", "h4", "h2"]);
  expect(headingsOf("Text[^1]\n\n[^1]: Note").map(([level]) => level)).toEqual(["h2"]);
});

test("equal headings get different ids, and a heading of only punctuation gets a default id", () => {
  expect(headingsOf("# A\n\n# A\n\n# a\n\n# !?\n\n# main").map(([, id]) => id)).toEqual([
    "section-a",
    "section-a--2",
    "section-a--3",
    "section-heading",
    "section-main",
  ]);
});

test("each heading has an anchor, which adds no text to it", () => {
  const { elements, text } = parseStrictly(renderMarkdown("## Plans", true));
  const anchor = elements.find(({ name }) => name === "a");
  expect(anchor?.attributes).toMatchObject({ href: "#section-plans", "aria-hidden": "true", tabindex: "-1" });
  expect(text).toBe("Plans");
});

test("links in an author's own table of contents lead to the headings, and other links stay unchanged", () => {
  const headings = "# What's new?\n\n# Γειά σου\n\n# Read & write\n\n# section-what";
  const links =
    "[a](#whats-new) [b](#γειά-σου) [c](#read--write) [d](#nowhere) [e](#%zz) [f](https://x.test/#a)";
  for (const [isPage, page] of [
    [true, ""],
    [false, "/articles/7"],
  ] as const) {
    expect(linksOf(renderMarkdown(`${links}\n\n${headings}`, isPage, "/articles/7"))).toEqual([
      `${page}#section-whats-new`,
      `${page}#section-γειά-σου`,
      `${page}#section-read--write`,
      "#nowhere",
      "#",
      "https://x.test/#a",
    ]);
  }
});

test("links to repeated headings, numbered as on GitHub, lead to the right headings", () => {
  const long = "word ".repeat(40).trim();
  const slug = long.replaceAll(" ", "-");
  const headings = ["Same", "Same 1", "Same", "Same", long, long].map((words) => `# ${words}`);
  const links = ["same", "same-1", "same-2", "same-3", slug, `${slug}-1`].map((name) => `[a](#${name})`);
  const markdown = `${links.join(" ")}\n\n${headings.join("\n\n")}`;
  const ids = headingsOf(markdown).map(([, id]) => `#${id}`);
  expect(new Set(ids).size).toBe(6);
  expect(linksOf(renderMarkdown(markdown, true))).toEqual(ids);
});

test("the heading of the footnotes keeps its own id", () => {
  const html = renderMarkdown("# A\n\nText[^1]\n\n[^1]: Note", true);
  expect(html.match(/id="note-[^"]*footnote-label"/g)).toHaveLength(1);
});

const contentsOf = (markdown: string, isPage = true) => {
  const [html] = CONTENTS.exec(renderMarkdown(markdown, isPage, "/articles/7")) ?? [];
  return html === undefined ? null : parseStrictly(html);
};

test("an item's page with three headings has a collapsed table of contents", () => {
  const contents = contentsOf("Intro\n\n# Read *EXPLAIN* <!-- note -->\n\n## A `b` & c\n\n# Done");
  expect(contents?.elements.map(({ name }) => name)).toEqual([
    "details",
    "summary",
    "ul",
    "li",
    "a",
    "li",
    "a",
    "li",
    "a",
  ]);
  expect(contents?.elements[0]?.attributes).not.toHaveProperty("open");
  expect(contents?.elements.flatMap(({ attributes }) => attributes["href"] ?? [])).toEqual([
    "#section-read-explain",
    "#section-a-b--c",
    "#section-done",
  ]);
  expect(contents?.text.replace(/\s+/g, " ").trim()).toMatch(/^Contents ?Read EXPLAIN ?A b & c ?Done$/);
});

test("a heading's anchor and its entry in the table of contents have its shortened id, depth and direction", () => {
  const html = renderMarkdown(`# One \n\n## Two\n\n## ${"é".repeat(70)}`, true, "/articles/x");
  const id = `section-${"é".repeat(60)}`;
  expect(html).toContain('<details class="contents"><summary>');
  expect(html).toContain('<li class="depth-1" dir="auto"><a href="#section-one"');
  expect(html).toContain(`<li class="depth-2" dir="auto"><a href="#${id}"`);
  expect(html).toMatch(
    /<h3 dir="auto" class="depth-2" id="section-two">Two<a class="heading-anchor" href="#section-two" aria-hidden="true" tabindex="-1"/,
  );
});

test("an article with only two headings has no table of contents, and neither does an article in a list", () => {
  expect(contentsOf("# A\n\n# B\n\nText[^1]\n\n[^1]: Note")).toBeNull();
  expect(contentsOf("# A\n\n# B\n\n# C", false)).toBeNull();
});
