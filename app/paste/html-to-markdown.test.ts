import { expect, test } from "vitest";
import { htmlToMarkdown } from "./html-to-markdown.ts";

const convert = (html: string) => htmlToMarkdown(html)?.markdown ?? null;

const GOOGLE = (body: string) =>
  `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1">${body}</b>`;
const SPAN = "font-size:11pt;font-family:Arial,sans-serif;white-space:pre-wrap;";

test("Google Docs' headings, styles, links, nested lists and boxes become Markdown", () => {
  const html = GOOGLE(`
    <h2 dir="ltr"><span style="${SPAN}font-weight:700">Joins</span></h2>
    <p dir="ltr"><span style="${SPAN}font-weight:400">Some </span><span style="${SPAN}font-weight:700">bold</span><span style="${SPAN}"> and </span><span style="${SPAN}font-style:italic">slanted</span><span style="${SPAN}"> words, </span><span style="font-family:'Roboto Mono',monospace;white-space:pre-wrap">code</span><span style="${SPAN}"> and </span><a href="https://www.google.com/url?q=https://a.example/b%3Fc&amp;sa=D"><span style="${SPAN}">a link</span></a></p>
    <br>
    <ul><li aria-level="1"><p><span style="${SPAN}">one</span></p></li><ul><li aria-level="2"><p><span style="${SPAN}">inner</span></p></li></ul><li><p><span style="${SPAN}">two</span></p></li></ul>
    <table><tbody><tr><td><p><span style="${SPAN}">in a box</span></p></td></tr></tbody></table>`);
  expect(convert(html)).toBe(
    "## Joins\n\nSome **bold** and *slanted* words, `code` and [a link](https://a.example/b?c)\n\n- one\n  - inner\n- two\n\nin a box",
  );
});

const WORD = (body: string) =>
  `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p {color: red}</style><!--[if gte mso 9]><xml><w:Secret>Kim</w:Secret></xml><![endif]--></head><body lang=EN-US><!--StartFragment-->${body}<!--EndFragment--></body></html>`;
const item = (level: number, mark: string, text: string) =>
  `<p class=MsoListParagraph style='mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>${mark}<span style='font:7.0pt'>&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>`;

test("Word's lists, headings and tables become Markdown, without its comments, deletions and hidden text", () => {
  const html = WORD(`
    <h1>Plans<o:p></o:p></h1>
    <p class=MsoNormal>Keep <b>this</b><span class=MsoDel> deleted</span><span style='display:none;mso-hide:all'> secret</span><span class=MsoCommentReference><a class=msocomanchor href="#_msocom_1">[AL1]</a></span>.<o:p></o:p></p>
    ${item(1, "·", "one")}${item(2, "o", "inner")}${item(1, "·", "two")}
    <p class=MsoNormal>&nbsp;</p>
    ${item(1, "1.", "first")}${item(1, "2.", "second")}
    <table class=MsoTable><tr><td><p>a</p></td><td><p>b</p></td></tr><tr><td>1</td><td>2</td></tr></table>
    <div style='mso-element:comment-list'><p class=MsoCommentText>Ask Kim</p></div>`);
  expect(convert(html)).toBe(
    "# Plans\n\nKeep **this**.\n\n- one\n  - inner\n- two\n\n1. first\n2. second\n\n| a | b |\n| - | - |\n| 1 | 2 |",
  );
});

test("a web page's text becomes Markdown, and its scripts, hidden parts, pixels and unsafe links don't", () => {
  const html = `<h3>Title</h3><p>See <a href="https://a.example/">this</a> and <a href="javascript:alert(1)">that</a>.</p>
    <script>alert(1)</script><p hidden>hidden</p><p style="display: none">hidden</p><span class="sr-only">hidden</span>
    <!-- hidden --><img src="https://t.example/p.gif" width="1" height="1"><img src="https://a.example/b.png" alt="B">
    <blockquote><p>Quoted</p></blockquote><pre><code class="language-sql">select *
from a;</code></pre><p><s>gone</s></p>`;
  expect(htmlToMarkdown(html)).toEqual({
    markdown:
      "### Title\n\nSee [this](https://a.example/) and that.\n\n![B](https://a.example/b.png)\n\n> Quoted\n\n```sql\nselect *\nfrom a;\n```\n\n~~gone~~",
    missingPictures: 0,
  });
});

test("pictures of the document's own files are counted, not pasted", () => {
  const html =
    '<p><b>A</b><img src="file:///C:/a.png"><img src="data:image/png;base64,AA"><img src="https://lh7-rt.googleusercontent.com/docsz/A?key=secret"></p>';
  expect(htmlToMarkdown(html)).toEqual({ markdown: "**A**", missingPictures: 3 });
});

test.each([
  [
    "VS Code",
    `<meta charset='utf-8'><div style="font-family: Menlo, monospace;white-space: pre;"><div><span style="font-weight: bold;">def</span> <i>f</i>(a_b):</div></div>`,
  ],
  [
    "JetBrains",
    `<html><body><pre style="font-family:'JetBrains Mono',monospace;"><b>def</b> f</pre></body></html>`,
  ],
  ["a web page's code", "<code>npm <b>install</b></code>"],
  ["plain words", "<meta charset='utf-8'><span style='color: red'>words</span>"],
  ["paragraphs", "<p>one</p><p>two</p>"],
  ["nothing", ""],
])("%s is pasted unchanged", (_, html) => {
  expect(convert(html)).toBeNull();
});

test("Markdown's characters in words are escaped, and line breaks stay", () => {
  expect(convert("<p><b>a</b> 2 * 3 * 4, # no heading, [x]<br>next</p>")).toMatch(
    /^\*\*a\*\* 2 \\\* 3 \\\* 4, # no heading, \\\[x]\\\nnext$/,
  );
});

test.each([
  ["<p><b>bold </b>next<i> it </i>x</p>", "**bold** next *it* x"],
  ["<p><b>one</b><b> two</b></p>", "**one** **two**"],
  [
    `<p><span style="font-weight:700">one</span><span style="font-weight:700"> two </span>three</p>`,
    "**one** **two** three",
  ],
  ["<div><b>a</b></div><div><br></div><div>b</div>", "**a**\n\nb"],
  ["<p><b>a</b> <u>under</u> <input type=hidden value=secret><input value=secret></p>", "**a** under"],
  ["<ul><li><input type=checkbox checked> done</li></ul>", "- [x] done"],
  [
    "<table><tr><td>Name</td><td>N</td></tr><tr><td>A</td><td>1</td></tr></table>",
    "| Name | N |\n| ---- | - |\n| A    | 1 |",
  ],
  ["<p><b>a</b><span style='opacity:0.0'>unseen</span><a href='/b'>b</a></p>", "**a**b"],
  [
    "<p><b>See</b> https://a.example/x_y or kim@example.com</p>",
    "**See** https://a.example/x_y or kim@example.com",
  ],
  ["<p><b>「語」</b>です</p>", "**「語」**です"],
])("%s becomes %j", (html, markdown) => {
  expect(convert(html)).toBe(markdown);
});

test("unclosed and deeply nested HTML is converted", () => {
  expect(convert("<p>so <b>a")).toBe("so **a**");
  expect(convert(`${"<div>".repeat(500)}<b>deep</b>`)).toBe("**deep**");
});
