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

const UNSEEN_ELEMENTS = [
  "script",
  "style",
  "template",
  "title",
  "object",
  "iframe",
  "audio",
  "video",
  "svg",
  "select",
  "textarea",
  "button",
];
const seen = "<p><b>seen</b></p>";

test.each([
  ...UNSEEN_ELEMENTS.map((name) => `<${name}>unseen</${name}>`),
  "<object><p>unseen</p></object>",
  "<noscript>unseen</noscript>",
  ...[
    "MsoCommentText",
    "MsoCommentReference",
    "MsoDel",
    "msocomanchor",
    "msocomoff",
    "sr-only",
    "Visually-Hidden",
    "screen-reader-text",
  ].map((name) => `<span class="other ${name}">unseen</span>`),
  ...[
    "display:none",
    "color:red;display : none",
    "color:red; DISPLAY:none",
    "visibility:hidden",
    "visibility : collapse",
    "mso-hide:all",
    "mso-hide : screen",
    "mso-element : comment-list",
    "mso-special-character : comment",
    "font-size:0",
    "font-size : 0px",
    "font-size:0pt;",
    "font-size:0em ;color:red",
    "opacity:0",
    "opacity : 0.00 ;color:red",
    "opacity:.0",
  ].map((style) => `<span style="${style}">unseen</span>`),
  "<p hidden>unseen</p>",
  '<a href="#_msocom_1">unseen</a>',
  '<a href="#msocom_1">unseen</a>',
  '<a href="#_msoanchor_1">unseen</a>',
  '<a href="https://docs.example/d#cmnt1">unseen</a>',
  '<div><p><a href="#cmnt_ref1">[a]</a><span>unseen</span></p></div>',
  '<p><a href="#cmnt_ref1">[a]</a><span>unseen</span></p>',
  "<!-- unseen -->",
  "<p><input type=text value=unseen></p>",
])("%s isn't pasted, because the person didn't see it", (unseen) => {
  expect(convert(seen + unseen)).toBe("**seen**");
  expect(convert(`<p></p>${unseen}${seen}`)).toBe("**seen**");
});

test.each([
  ...["MsoNormal", "MsoDeletion", "not-sr-only", "sr-only-focusable"].map(
    (name) => `<span class="${name}">seen</span>`,
  ),
  ...[
    "display:inline",
    "x-display:none",
    "visibility:visible",
    "mso-hide:none",
    "mso-element:para-border-div",
    "font-size:0.9em",
    "font-size:10px",
    "opacity:0.5",
    "opacity:.5",
    "opacity:1",
  ].map((style) => `<span style="${style}">seen</span>`),
  "<section>seen</section>",
  "<figure>seen</figure>",
  '<a href="#part">seen</a>',
])("%s is pasted, because the person saw it", (html) => {
  expect(convert(`<p><b>a</b></p><p>${html}</p>`)).toBe("**a**\n\nseen");
});

test.each([
  ["font-weight:bold", "**word**"],
  ["font-weight : 600", "**word**"],
  ["font-weight:900", "**word**"],
  ["font-weight:500", "word"],
  ["font-style:italic", "*word*"],
  ["font-style : italic", "*word*"],
  ["font-style:normal", "word"],
  ["text-decoration:line-through", "~~word~~"],
  ["text-decoration-line : underline line-through", "~~word~~"],
  ["text-decoration:underline", "word"],
  ["font-weight:700;font-style:italic", "**_word_**"],
  ["font-weight:700;text-decoration:line-through", "**~~word~~**"],
  ["mso-list:l0;font-weight:700", "word"],
  ...[
    "Menlo",
    "'Courier New'",
    "Consolas",
    "Monaco",
    "'Roboto Mono'",
    "'Source Code Pro'",
    "'Fira Code'",
    "'JetBrains Mono'",
    "Arial, monospace",
  ].map((font): [string, string] => [`font-family : ${font}`, "`word`"]),
  ["font-family:Arial", "word"],
  ["font-family:Arial;color:menlo", "word"],
])("text in a span with the style %s becomes %s", (style, markdown) => {
  const html = `<h2>A</h2><p>a <span style="${style}">word</span> b</p>`;
  expect(convert(html)).toBe(`## A\n\na ${markdown} b`);
});

test.each(["normal", "100", "400", "500"])("bold text with the weight %s isn't bold", (weight) => {
  for (const tag of ["b", "strong"]) {
    expect(convert(`<h2>A</h2><p>a <${tag} style="font-weight : ${weight}">word</${tag}> b</p>`)).toBe(
      "## A\n\na word b",
    );
  }
});

test.each(["h1", "h2", "h3", "h4", "h5", "h6"])(
  "bold words in %s aren't marked, because a heading is bold",
  (tag) => {
    const marks = "#".repeat(Number(tag.slice(1)));
    expect(convert(`<${tag}><strong>A <b>b</b></strong> <em>c</em> <span><b>d</b></span></${tag}>`)).toBe(
      `${marks} A b *c* d`,
    );
  },
);

test.each([
  ["https://a.example/b", "[word](https://a.example/b)"],
  ["HTTP://a.example/b", "[word](HTTP://a.example/b)"],
  ["mailto:kim@a.example", "[word](mailto:kim@a.example)"],
  ["https://www.google.com/url?q=https://a.example/%25b&sa=D", "[word](https://a.example/%b)"],
  ["https://www.google.com/url?sa=D&q=https://a.example/b#top", "[word](https://a.example/b)"],
  [
    "https://www.google.com/url#q=https://a.example/b",
    "[word](https://www.google.com/url#q=https://a.example/b)",
  ],
  ["https://www.google.com/search?q=b", "[word](https://www.google.com/search?q=b)"],
  [
    "https://a.example/?u=https://www.google.com/url?q=b",
    "[word](https://a.example/?u=https://www.google.com/url?q=b)",
  ],
  ["javascript:alert(1)", "word"],
  ["x:https://a.example", "word"],
  ["file:///C:/a", "word"],
  ["/b", "word"],
  ["", "word"],
])("a link to %s becomes %s", (href, markdown) => {
  expect(convert(`<p><b>A</b> <a href="${href}">word</a></p>`)).toBe(`**A** ${markdown}`);
});

test("a link without text isn't pasted", () => {
  expect(convert('<p><b>A</b><a href="https://a.example/"> </a></p>')).toBe("**A**");
  expect(
    convert('<p><b>A</b> <a href="https://a.example/"><img src="https://a.example/b.png" alt="B"></a></p>'),
  ).toBe("**A** ![B](https://a.example/b.png)");
});

test.each([
  ["https://a.example/b.png", 0],
  ["HTTP://a.example/b.png", 0],
  ["https://a.example/googleusercontent.com/b.png", 0],
  ["https://notgoogleusercontent.com/b.png", 0],
  ["https://lh3.googleusercontent.com/b.png", 1],
  ["http://googleusercontent.com/b.png", 1],
  ["data:image/png;base64,AA", 1],
  ["file:///https://a.example/b.png", 1],
  ["b.png", 1],
])("of a picture with the address %s, %i is missing", (src, missingPictures) => {
  const picture = missingPictures === 0 ? `\n\n![](${src})` : "";
  expect(htmlToMarkdown(`<p><b>A</b></p><img src="${src}">`)).toEqual({
    markdown: `**A**${picture}`,
    missingPictures,
  });
});

test("a picture without an address is missing, and a pixel isn't", () => {
  expect(htmlToMarkdown("<p><b>A</b></p><img>")).toEqual({ markdown: "**A**", missingPictures: 1 });
  for (const size of ["width=1", "height=1", "width=0 height=20", "width=20 height=0"])
    expect(htmlToMarkdown(`<p><b>A</b></p><img src="b.png" ${size}>`)?.missingPictures).toBe(0);
  expect(
    htmlToMarkdown('<p><b>A</b></p><img src="https://a.example/b.png" width=2 height=2>')?.markdown,
  ).toContain("![](");
});

test.each([
  ["a list with a paragraph in each item", "<ul><li><p>a</p></li><li><p>b</p></li></ul>", "- a\n- b"],
  ["an item with two paragraphs", "<ol><li><p>a</p><p>b</p></li><li>c</li></ol>", "1. a\n\n   b\n2. c"],
  [
    "an empty paragraph with a picture",
    '<h2>A</h2><p><img src="https://a.example/b.png"></p>',
    "## A\n\n![](https://a.example/b.png)",
  ],
  ["empty paragraphs and divisions", "<h2>A</h2><p> </p><div><span> </span></div><p>b</p>", "## A\n\nb"],
  ["an empty list", "<h2>A</h2><p>b</p><ul></ul>", "## A\n\nb"],
  [
    "underlined, inserted and marked words",
    "<h2>A</h2><p><u>a</u> <ins>b</ins> <mark>c</mark></p>",
    "## A\n\na b c",
  ],
  [
    "words in a font element",
    '<h2>A</h2><p><font style="font-weight:bold">a</font> b</p>',
    "## A\n\n**a** b",
  ],
  ["formatting around blocks", "<h2>A</h2><b><p>a</p><p>b</p></b>", "## A\n\na\n\nb"],
  ["a box with several paragraphs", "<table><tr><td><p>a</p><p>b</p></td></tr></table><hr>", "a\n\nb\n\n---"],
  ["a box with a cell of a header", "<table><tr><th>a</th></tr></table><hr>", "a\n\n---"],
  [
    "a table with its own header",
    "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>",
    "| a | b |\n| - | - |\n| 1 | 2 |",
  ],
  [
    "a table with headers at the side",
    "<table><tr><th>a</th><td>1</td></tr><tr><th>b</th><td>2</td></tr></table>",
    "| a | 1 |\n| - | - |\n| b | 2 |",
  ],
  ["an ordered list within an item", "<ul><li>a</li><ol><li>b</li></ol></ul>", "- a\n  1. b"],
  ["a list that begins with a list", "<ul><ul><li>a</li></ul><li>b</li></ul>", "- - a\n- b"],
  ["a line break between blocks", "<div><h2>A</h2><br><p>a</p><br></div>", "## A\n\na"],
  ["a line break within a paragraph", "<h2>A</h2><p>a<br>b</p>", "## A\n\na\\\nb"],
  ["space between styled words", "<h2>A</h2><p><i>a</i><b> b </b><i>c</i></p>", "## A\n\n*a* **b** *c*"],
  ["space in a nested element", "<h2>A</h2><p>a<b><span> b </span></b>c</p>", "## A\n\na **b** c"],
  ["styled space", "<h2>A</h2><p>a<b> </b>b<i></i></p>", "## A\n\na b"],
  ["split code", "<h2>A</h2><p><code>a</code><code>b</code> <s>c</s><s>d</s></p>", "## A\n\n`ab` ~~cd~~"],
  [
    "an address with www",
    "<h2>A</h2><p>www.a.example and https://a.example</p>",
    "## A\n\nwww.a.example and https://a.example",
  ],
  ["a checkbox", "<ul><li><input type=checkbox> a</li></ul>", "- [ ] a"],
])("%s: %s becomes %j", (_, html, markdown) => {
  expect(convert(html)).toBe(markdown);
});

test.each([
  [
    "the marks of Windows",
    `<p>before</p><!--StartFragment--><p><b>a</b></p><!--EndFragment--><p>after</p>`,
    "**a**",
  ],
  ["an end without a start", `<p><b>a</b></p><!--EndFragment--><p>b</p>`, "**a**\n\nb"],
  ["a start without an end", `<p>b</p><!--StartFragment--><p><b>a</b></p>`, "b\n\n**a**"],
  ["an end before the start", `<!--EndFragment--><p>b</p><!--StartFragment--><p><b>a</b></p>`, "b\n\n**a**"],
])("%s: only what is between the two is pasted", (_, html, markdown) => {
  expect(convert(html)).toBe(markdown);
});

test.each([
  ["pre", "<pre><b>a</b></pre>"],
  ["code", "<div><code><b>a</b></code></div>"],
  ["samp", "<samp><b>a</b></samp>"],
  ["kbd", "<p><kbd><b>a</b></kbd> </p>"],
  ["a block that keeps white space", `<div style="color:red;white-space : pre ;"><b>a</b></div>`],
])("text in %s only is code, and pasted unchanged", (_, html) => {
  expect(convert(html)).toBeNull();
  expect(convert(`${html}<p>b</p>`)).not.toBeNull();
});

test.each(["pre-wrap", "pre-line", "normal"])("text with the white space %s isn't code", (value) => {
  expect(convert(`<div style="white-space:${value}"><b>a</b></div>`)).toBe("**a**");
});

test.each([
  "<h1>a</h1>",
  "<h6>a</h6>",
  "<strong>a</strong>",
  "<b>a</b>",
  "<em>a</em>",
  "<i>a</i>",
  "<del>a</del>",
  "<s>a</s>",
  '<a href="https://a.example/">a</a>',
  "<ul><li>a</li></ul>",
  "<ol><li>a</li></ol>",
  "<blockquote>a</blockquote>",
  "<hr><p>a</p>",
  "<p>a <code>b</code></p>",
  "<p>a</p><pre>b</pre>",
  '<p>a</p><img src="https://a.example/b.png">',
  "<table><tr><td>a</td><td>b</td></tr></table>",
  "<div><div><i>a</i></div></div>",
])("%s is formatting", (html) => {
  expect(convert(html)).not.toBeNull();
});

const wordItem = (style: string, mark: string, text: string, tag = "p") =>
  `<${tag} style='${style}'><span style='mso-list : Ignore'>${mark}</span>${text}</${tag}>`;

test.each([
  ["1.", "1. a"],
  ["12)", "1. a"],
  ["a)", "1. a"],
  ["(iv)", "1. a"],
  ["·", "- a"],
  ["o", "- a"],
  ["§", "- a"],
  ["follow.", "- a"],
])("an item of Word with the mark %s becomes %s", (mark, markdown) => {
  expect(convert(wordItem("mso-list:l0 level1 lfo1", mark, "a"))).toBe(markdown);
});

test("items of Word nest by their level, change with their kind, and end at other text", () => {
  const level = (number: number) => `mso-list : l10 level${number} lfo1`;
  const html = [
    wordItem(level(1), "1.", "a"),
    " ",
    wordItem(level(2), "·", "b"),
    wordItem(level(3), "·", "c"),
    wordItem(level(2), "a)", "d"),
    wordItem(level(1), "2.", "e", "div"),
    "<p>text</p>",
    wordItem(level(2), "·", "f", "h2"),
    wordItem(level(1), "·", "g"),
    "words",
    wordItem(level(1), "·", "h"),
    wordItem("margin:0", "x", "not an item"),
  ].join("");
  expect(convert(html)).toBe(
    "1. a\n   - b\n     - c\n   1. d\n2. e\n\ntext\n\n- f\n\n* g\n\nwords\n\n- h\n\nxnot an item",
  );
});
