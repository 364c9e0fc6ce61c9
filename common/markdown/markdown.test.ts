import { expect, test } from "vitest";
import { parseStrictly, type StrictElement } from "../../tests/support/strict-html.ts";
import { renderMarkdown } from "./markdown.ts";
import { MarkdownError } from "./rehype-text.ts";

function elementsOf(markdown: string, name: string): StrictElement[] {
  return parseStrictly(renderMarkdown(markdown)).elements.filter((element) => element.name === name);
}

const visibleText = (markdown: string) => parseStrictly(renderMarkdown(markdown)).text;

test("tables are rendered with their columns' alignment", () => {
  const table = "| left | right | mid |\n| :-- | --: | :-: |\n| 1 | 2 | 3 |";
  expect(elementsOf(table, "td").map(({ attributes }) => attributes["class"])).toEqual([
    "align-left",
    "align-right",
    "align-center",
  ]);
  expect(elementsOf(table, "th")).toHaveLength(3);
});

test("rows of a table with an empty corner cell have row headings", () => {
  const table = "| | b |\n| - | - |\n| a | 1 |\n| c | 2 |";
  const headings = elementsOf(table, "th").map(({ attributes }) => attributes["scope"]);
  expect(headings).toEqual(["col", "row", "row"]);
  expect(elementsOf(table, "td").map(({ attributes }) => attributes["scope"])).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(visibleText(table).replaceAll(/\s+/g, " ").trim()).toBe("b a 1 c 2");
  expect(elementsOf("| | b |\n| - | - |", "th")).toHaveLength(1);
});

test("a table with text in its corner cell has no row headings", () => {
  expect(elementsOf("| a | b |\n| - | - |\n| 1 | 2 |", "th")).toHaveLength(2);
});

test("a thematic break becomes one hr element without attributes", () => {
  const [line, ...others] = elementsOf("above\n\n- --\n\nbelow", "hr");
  expect(line?.attributes).toEqual({});
  expect(others).toEqual([]);
});

test("struck-through text becomes a del element", () => {
  expect(elementsOf("~~gone~~", "del")).toHaveLength(1);
});

test("task lists have labelled, disabled checkboxes", () => {
  const boxes = elementsOf("- [x] write\n- [ ] read", "input").map(({ attributes }) => attributes);
  expect(boxes[0]).toMatchObject({ type: "checkbox", disabled: "", checked: "", "aria-label": "Done" });
  expect(boxes[1]).toMatchObject({ type: "checkbox", disabled: "", "aria-label": "To do" });
  expect(boxes[1]).not.toHaveProperty("checked");
  expect(boxes[0]).not.toHaveProperty("readonly");
});

test("bare URLs and email addresses become links", () => {
  const hrefs = elementsOf("www.example.com and https://example.com/a and me@example.com", "a");
  expect(hrefs.map(({ attributes }) => attributes["href"])).toEqual([
    "http://www.example.com",
    "https://example.com/a",
    "mailto:me@example.com",
  ]);
});

test("a footnote's number links to the note, and the note links back", () => {
  const html = renderMarkdown("Said[^1].\n\n[^1]: By me.");
  const ids = parseStrictly(html).elements.flatMap(({ attributes }) => attributes["id"] ?? []);
  const [to, back] = elementsOf("Said[^1].\n\n[^1]: By me.", "a").map(({ attributes }) => attributes["href"]);
  expect(ids).toContain(to?.slice(1));
  expect(ids).toContain(back?.slice(1));
});

test("footnotes of two articles and a preview on one page have different ids", () => {
  const idsOf = (path: string) =>
    parseStrictly(renderMarkdown("Said[^1].\n\n[^1]: By me.", false, path)).elements.flatMap(
      ({ attributes }) => attributes["id"] ?? [],
    );
  const ids = [...idsOf("/articles/1"), ...idsOf("/articles/2"), ...idsOf("")];
  expect(ids.length).toBeGreaterThan(6);
  expect(new Set(ids).size).toBe(ids.length);
});

test("footnotes have automatic text direction, and their English heading runs left to right", () => {
  const { elements } = parseStrictly(renderMarkdown("نص[^1].\n\n[^1]: ملاحظة"));
  expect(elements.find(({ name }) => name === "section")?.attributes["dir"]).toBe("auto");
  expect(elements.find(({ name }) => name === "h3")?.attributes["dir"]).toBe("ltr");
});

test("the aria-describedby of a footnote's link refers to an existing element", () => {
  const { elements } = parseStrictly(renderMarkdown("Said[^1].\n\n[^1]: By me."));
  const ids = elements.flatMap(({ attributes }) => attributes["id"] ?? []);
  const described = elements.flatMap(({ attributes }) => attributes["aria-describedby"] ?? []);
  expect(described.length).toBeGreaterThan(0);
  for (const id of described) expect(ids).toContain(id);
});

test("headings in a card start at level three, one level below the card's title", () => {
  const { elements } = parseStrictly(renderMarkdown("# 1\n\n## 2\n\n### 3\n\n#### 4\n\n##### 5\n\n###### 6"));
  expect(elements.map(({ name }) => name)).toEqual(["h3", "h4", "h5", "h6", "h6", "h6"]);
});

test("headings in a card start one level below the card's title, even if the text starts at level two", () => {
  const { elements } = parseStrictly(renderMarkdown("## A\n\n#### B\n\nText[^1]\n\n[^1]: Note"));
  const headings = elements.filter(({ name }) => /^h[1-6]$/.test(name));
  expect(headings.map(({ name, attributes }) => [name, attributes["class"]])).toEqual([
    ["h3", "depth-1"],
    ["h5", "depth-3"],
    ["h3", undefined],
  ]);
});

test("headings have a class for their depth, counted from the highest heading", () => {
  const { elements } = parseStrictly(renderMarkdown("# 1\n\n## 2\n\n### 3\n\n#### 4"));
  expect(elements.map(({ attributes }) => attributes["class"])).toEqual([
    "depth-1",
    "depth-2",
    "depth-3",
    "depth-4",
  ]);
});

test("each top-level block has automatic text direction, and code runs left to right", () => {
  const { elements } = parseStrictly(
    renderMarkdown("مرحبا\n\n- one\n- two\n\n> said\n\n| a |\n| - |\n| b |\n\n```\ncode\n```\n\nand `this`"),
  );
  const directions = (name: string) =>
    elements.filter((element) => element.name === name).map(({ attributes }) => attributes["dir"]);
  // The top-level block of a table is its scroll container.
  for (const name of ["ul", "blockquote", "div"]) expect(directions(name)[0], name).toBe("auto");
  expect(directions("p")).toEqual(["auto", undefined, "auto"]);
  expect(directions("pre")).toEqual(["ltr"]);
  expect(directions("code")).toEqual(["ltr", "ltr"]);
});

test("links in Markdown send no referrer and are marked nofollow and ugc", () => {
  const [link] = elementsOf("[docs](https://docs.python.org 'The docs')", "a");
  expect(link?.attributes).toMatchObject({ href: "https://docs.python.org", title: "The docs" });
  expect(link?.attributes["rel"]?.split(" ")).toEqual(
    expect.arrayContaining(["noopener", "noreferrer", "nofollow", "ugc"]),
  );
});

test("an image within a line of text has no frame", () => {
  const { elements } = parseStrictly(renderMarkdown("See ![A plan](https://example.com/plan.png)"));
  expect(elements.filter(({ attributes }) => attributes["class"] === "image-frame")).toEqual([]);
});

test("a linked picture alone in its paragraph has a frame, and several pictures have none", () => {
  const paragraph = (text: string) => elementsOf(text, "p")[0]?.attributes["class"];
  expect(paragraph("[![build](https://ci.test/badge.svg)](https://ci.test)")).toBe("image-frame");
  expect(paragraph("![a](https://ci.test/a.svg) ![b](https://ci.test/b.svg)")).toBeUndefined();
  expect(paragraph("[![a](https://ci.test/a.svg) passed](https://ci.test)")).toBeUndefined();
});

test("each picture is a link to its own address, unless the author has linked it or its address isn't allowed", () => {
  const links = (text: string) => elementsOf(text, "a").map(({ attributes }) => attributes["href"]);
  expect(links("![A plan](https://example.com/plan.png) and ![](b.png)")).toEqual([
    "https://example.com/plan.png",
    "b.png",
  ]);
  expect(elementsOf("![](b.png)", "a")[0]?.attributes).toMatchObject({ "aria-label": "Open the picture" });
  expect(elementsOf("![A plan](b.png)", "a")[0]?.attributes).not.toHaveProperty("aria-label");
  expect(links("[*![A plan](b.png)*](https://example.com)")).toEqual(["https://example.com"]);
  for (const src of ["uploading:0a1b", "javascript:alert(1)", "data:image/png;base64,AA"])
    expect(links(`![A plan](${src})`), src).toEqual([]);
});

test("images from other sites load lazily, and have a frame if they are alone in a paragraph", () => {
  const { elements } = parseStrictly(renderMarkdown("![A plan](https://example.com/plan.png)"));
  expect(elements).toContainEqual({
    name: "img",
    attributes: expect.objectContaining({
      src: "https://example.com/plan.png",
      alt: "A plan",
      loading: "lazy",
    }),
  });
  expect(elements).toContainEqual({ name: "p", attributes: { class: "image-frame", dir: "auto" } });
});

const address = `/storage/v1/object/public/pictures/${crypto.randomUUID()}/${"0a".repeat(16)}-1200x800.webp`;
const pictures = (text: string, isPage = false) =>
  parseStrictly(renderMarkdown(text, isPage)).elements.filter(({ name }) => name === "img");

test("an uploaded picture has the size from its URL and no frame", () => {
  expect(pictures(`![A plan](${address})`)[0]?.attributes).toMatchObject({
    src: address,
    width: "1200",
    height: "800",
    loading: "lazy",
    decoding: "async",
  });
  expect(elementsOf(`![A plan](${address})`, "p")[0]?.attributes).not.toHaveProperty("class");
});

test("only a first picture in the first blocks of an item's page loads eagerly", () => {
  const loading = (text: string) => pictures(text, true).map(({ attributes }) => attributes["loading"]);
  expect(loading(`One\n\n> - Two ![1](${address})\n\n![2](${address})`)).toEqual(["eager", "lazy"]);
  expect(loading(`One\n\nTwo\n\nThree\n\n![1](${address})`)).toEqual(["lazy"]);
});

test("the first picture on an item's page loads eagerly, and the others load lazily", () => {
  const loading = pictures(`![1](${address})\n\n![2](${address})`, true).map(
    ({ attributes }) => attributes["loading"],
  );
  expect(loading).toEqual(["eager", "lazy"]);
});

test("a picture has no src while it is being uploaded", () => {
  expect(pictures("![A plan](uploading:0a1b)")[0]?.attributes).not.toHaveProperty("src");
});

test("an image without alternative text has an empty alt attribute", () => {
  expect(elementsOf("![](https://example.com/plan.png)", "img")[0]?.attributes["alt"]).toBe("");
});

test("fenced code is highlighted, or shown as plain text if the language is unknown", () => {
  expect(elementsOf("```python\ndef f(): pass\n```", "span").length).toBeGreaterThan(0);
  expect(elementsOf("```klingon\nQapla'\n```", "span")).toEqual([]);
  expect(visibleText("```klingon\nQapla' <b>\n```")).toBe("Qapla' <b>\nCopy");
  expect(elementsOf("```\nplain\n```", "span")).toEqual([]);
});

test.each([
  ["go", "func main() {}"],
  ["rust", "fn main() {}"],
  ["java", "class A {}"],
  ["json", '{"a": 1}'],
  ["html", "<p>a</p>"],
  ["css", "p { color: red }"],
  ["hcl", 'region = "eu-west-1"'],
  ["dockerfile", "FROM node"],
  ["Python", "def f(): pass"],
])("fenced code in the language %s is highlighted", (language, code) => {
  expect(elementsOf(`\`\`\`${language}\n${code}\n\`\`\``, "span").length).toBeGreaterThan(0);
});

test("two spaces or a backslash at the end of a line become a line break", () => {
  expect(elementsOf("one  \ntwo\\\nthree", "br")).toHaveLength(2);
});

test("code has a frame that scrolls, and a button that copies it and names its language", () => {
  const framed = (code: string, description: string) =>
    `<div class="code-frame"><pre dir="ltr" tabindex="0">${code}</pre>` +
    `<button type="button" class="copy-code" aria-label="Copy code"${description}>Copy</button></div>`;
  expect(renderMarkdown("```Klingon\na\n```")).toBe(
    framed('<code class="language-Klingon" dir="ltr">a\n</code>', ' aria-description="Klingon"'),
  );
  expect(renderMarkdown("```\na\n```")).toBe(framed('<code dir="ltr">a\n</code>', ""));
  expect(elementsOf("`a`", "button")).toEqual([]);
});

test("a table has a frame that scrolls, and the headings of its columns are aligned like their cells", () => {
  const html = renderMarkdown("| a | b |\n| :- | - |\n| c | d |").replaceAll("\n", "");
  expect(html).toBe(
    '<div class="table-scroll" dir="auto" tabindex="0"><table><thead><tr>' +
      '<th scope="col" class="align-left">a</th><th scope="col">b</th></tr></thead>' +
      '<tbody><tr><td class="align-left">c</td><td>d</td></tr></tbody></table></div>',
  );
  expect(renderMarkdown("> | a |\n> | - |\n> | b |")).toContain('<div class="table-scroll" tabindex="0">');
});

test("a picture from another site gets no referrer", () => {
  const [picture] = elementsOf("![a](https://x.test/a.png)", "img");
  expect(picture?.attributes).toEqual({
    src: "https://x.test/a.png",
    alt: "a",
    loading: "lazy",
    decoding: "async",
    referrerpolicy: "no-referrer",
  });
});

test("footnotes have the last digits of their item's path in their ids, or “preview”", () => {
  const idsOf = (...path: [string] | []) =>
    Array.from(renderMarkdown("a[^1]\n\n[^1]: b", true, ...path).matchAll(/ id="(.*?)"/g), ([, id]) => id);
  const names = ["fnref-1", "footnote-label", "fn-1"];
  expect(idsOf("/articles/joins-cd3aeb847502")).toEqual(names.map((name) => `note-cd3aeb847502-${name}`));
  expect(idsOf()).toEqual(names.map((name) => `note-preview-${name}`));
});

test("text nested 47 blocks deep is rendered, and deeper text is rejected", () => {
  expect(renderMarkdown(`${">".repeat(46)} x`)).toContain("<p>x</p>");
  expect(() => renderMarkdown(`${">".repeat(47)} x`)).toThrow(new MarkdownError("nested too deeply"));
});

test.each(["", " ", "\n\n", "\u0000", "\ufeff"])(
  "the blank Markdown %j is rendered without visible text",
  (text) => {
    expect(visibleText(text).replaceAll(/[\s\ufffd]/g, "")).toBe("");
  },
);
