import fc from "fast-check";
import { expect, test } from "vitest";
import { parseStrictly } from "../../tests/support/strict-html.ts";
import { safeAddress } from "../safe-address.ts";
import { highlightCode } from "./highlight.ts";
import { renderMarkdown } from "./markdown.ts";
import { MarkdownError } from "./rehype-text.ts";

/** All elements and attributes that may be in rendered Markdown, whatever members write. */
const ATTRIBUTES: Record<string, readonly string[]> = {
  a: [
    "href",
    "title",
    "rel",
    "id",
    "class",
    "aria-label",
    "aria-describedby",
    // For pictures only.
    "target",
    // For footnotes only.
    "data-footnote-ref",
    "data-footnote-backref",
    // For the anchors of headings only.
    "aria-hidden",
    "tabindex",
  ],
  blockquote: ["dir"],
  br: [],
  button: ["type", "class", "aria-label", "aria-description"],
  code: ["class", "dir"],
  del: [],
  div: ["class", "dir", "tabindex"],
  em: [],
  h2: ["class", "id", "dir"],
  h3: ["class", "id", "dir"],
  h4: ["class", "id", "dir"],
  h5: ["class", "id", "dir"],
  h6: ["class", "id", "dir"],
  hr: [],
  img: ["src", "alt", "title", "width", "height", "loading", "decoding", "referrerpolicy"],
  input: ["type", "disabled", "checked", "aria-label"],
  li: ["class", "id"],
  ol: ["start", "class", "dir"],
  p: ["class", "dir"],
  picture: [],
  pre: ["dir", "tabindex"],
  section: ["data-footnotes", "class", "dir"],
  span: ["class"],
  strong: [],
  sup: [],
  table: [],
  tbody: [],
  td: ["class"],
  th: ["class", "scope"],
  thead: [],
  tr: [],
  ul: ["class", "dir"],
};

const CLASS =
  /^(code-frame|copy-code|heading-anchor|table-scroll|contains-task-list|task-list-item|image-frame|picture-link|footnotes|depth-[1-6]|align-(left|right|center)|data-footnote-backref|language-\S*|hljs-[\w-]+( \w+_)*)$/;
const SCHEMES = ["http:", "https:", "irc:", "ircs:", "mailto:", "xmpp:"];

/** Fails if the HTML has elements, attributes, classes or URL schemes that the constants above don't allow. */
function expectHarmless(html: string) {
  const page = parseStrictly(html);
  for (const { name, attributes } of page.elements) {
    expect(Object.keys(ATTRIBUTES)).toContain(name);
    for (const [attribute, value] of Object.entries(attributes)) {
      expect(ATTRIBUTES[name], `<${name}>`).toContain(attribute);
      if (attribute === "class") expect(value).toMatch(CLASS);
      if (attribute === "href" || attribute === "src") {
        expect(safeAddress(value)).toBe(value);
        const base = "https://techfolio.test/articles";
        if (URL.canParse(value, base)) expect(SCHEMES).toContain(new URL(value, base).protocol);
      }
    }
    if ("target" in attributes) expect(attributes).toMatchObject({ target: "_blank", class: "picture-link" });
    if (name === "button") expect(attributes).toMatchObject({ type: "button", class: "copy-code" });
    if (name === "input") expect(attributes).toMatchObject({ type: "checkbox", disabled: "" });
  }
  return page;
}

const RAW_HTML = [
  "<script>alert(1)</script>",
  "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
  "<scr<script>ipt>alert(1)</scr</script>ipt>",
  "<script\n>alert(1)</script\n>",
  "<script/x>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<img src=x onerror=alert(1)//",
  '<img src="x` `<script>alert(1)</script>"` `>',
  "<image src=x onerror=alert(1)>",
  "<svg onload=alert(1)>",
  "<svg/onload=alert(1)>",
  "<svg><script>alert&#40;1)</script></svg>",
  "<svg><animate onbegin=alert(1) attributeName=x dur=1s></svg>",
  '<math><mi//xlink:href="javascript:alert(1)">x</mi></math>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  "<iframe src=javascript:alert(1)></iframe>",
  "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
  "<object data=javascript:alert(1)></object>",
  "<embed src=javascript:alert(1)>",
  "<body onload=alert(1)>",
  "<details open ontoggle=alert(1)>x</details>",
  "<video><source onerror=alert(1)></video>",
  "<audio src=x onerror=alert(1)>",
  "<marquee onstart=alert(1)>x</marquee>",
  "<input autofocus onfocus=alert(1)>",
  "<form action=javascript:alert(1)><button>x</button></form>",
  "<button formaction=javascript:alert(1)>x</button>",
  "<isindex type=image src=1 onerror=alert(1)>",
  '<a href="javascript:alert(1)">x</a>',
  "<a href='&#106;avascript:alert(1)'>x</a>",
  "<base href=//evil.example/>",
  "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
  "<link rel=stylesheet href=//evil.example/x.css>",
  "<style>*{background:url(javascript:alert(1))}</style>",
  '<div style="background:url(javascript:alert(1))">x</div>',
  "<div id=main class='fixed inset-0'>x</div>",
  "<template><script>alert(1)</script></template>",
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<textarea><img title="</textarea><img src=x onerror=alert(1)>">',
  '<title><img title="</title><img src=x onerror=alert(1)>">',
  '<!--<img src="--><img src=x onerror=alert(1)//">',
  "<![CDATA[<script>alert(1)</script>]]>",
  "<?xml version='1.0'?><script>alert(1)</script>",
  "<!DOCTYPE html><script>alert(1)</script>",
  "</article></main><script>alert(1)</script>",
  "</div>\n\n</section>\n\n<h1>Not your page</h1>",
  "<x onclick=alert(1)>click</x>",
  "<table><tr><td onclick=alert(1)>x</td></tr></table>",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "&#60;script&#62;alert(1)&#60;/script&#62;",
  "\\<script>alert(1)</script>",
  "`<script>alert(1)</script>`",
  "    <script>alert(1)</script>",
  "```html\n<script>alert(1)</script>\n```",
  "```\n</code></pre><script>alert(1)</script>\n```",
  '```"><script>alert(1)</script>\ncode\n```',
  '```x" onmouseover="alert(1)\ncode\n```',
  "> <script>alert(1)</script>",
  "- <script>alert(1)</script>",
  "| <script>alert(1)</script> |\n| - |\n| <img src=x onerror=alert(1)> |",
  "# <script>alert(1)</script>",
  "**<script>alert(1)</script>**",
  "[^1]\n\n[^1]: <script>alert(1)</script>",
  "[<img src=x onerror=alert(1)>](https://example.com)",
  '<a title="`<img src=x onerror=alert(1)>`">',
];

/** URLs that must be rejected, in every Markdown syntax for URLs. */
const REJECTED_URLS = [
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](javascript:alert`1`)",
  "[x](<javascript:alert(1)>)",
  "[x](<java\tscript:alert(1)>)",
  "[x](< javascript:alert(1)>)",
  "[x](\tjavascript:alert(1))",
  "[x](\u0001javascript:alert(1))",
  "[x](\u00a0javascript:alert(1))",
  "[x](java\u00adscript:alert(1))",
  "[x](javascript&colon;alert(1))",
  "[x](javascript&#58;alert(1))",
  "[x](javascript&#x3a;alert(1))",
  "[x](javascript&#0000058;alert(1))",
  "[x](&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;:alert(1))",
  "[x](&#x6A;avascript:alert(1))",
  "[x](java&Tab;script:alert(1))",
  "[x](java&NewLine;script:alert(1))",
  "[x](&Tab;javascript:alert(1))",
  "[x](javascript\\:alert(1))",
  "[x](javas\\cript:alert(1))",
  "[x](data:text/html,<script>alert(1)</script>)",
  "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
  "[x](DATA&colon;text/html,x)",
  "[x](vbscript:msgbox(1))",
  "[x](VBSCRIPT&colon;msgbox)",
  "[x](file:///etc/passwd)",
  "[x](blob:https://techfolio.test/1)",
  "[x](view-source:javascript:alert(1))",
  "[x][y]\n\n[y]: javascript:alert(1)",
  "[x]\n\n[x]: <java\tscript:alert(1)>",
  '[x][]\n\n[x]: data:text/html,x "title"',
  "[javascript:alert(1)][x]\n\n[x]: vbscript:x",
  "<javascript:alert(1)>",
  "<JAVASCRIPT:alert(1)>",
  "<data:text/html,x>",
  "<vbscript:msgbox(1)>",
  "![x](javascript:alert(1))",
  "![x](data:image/svg+xml,<svg onload=alert(1)>)",
  "![x](data:image/svg+xml;base64,PHN2Zy8+)",
  "![x][y]\n\n[y]: javascript:alert(1)",
  "[![x](javascript:alert(1))](javascript:alert(2))",
  "[![x](vbscript:a)][y]\n\n[y]: data:,x",
  "**[x](javascript:alert(1))**",
  "~~[x](javascript:alert(1))~~",
  "# [x](javascript:alert(1))",
  "> - 1. [x](javascript:alert(1))",
  "| a |\n| - |\n| [x](javascript:alert(1)) |",
  "- [x] [y](javascript:alert(1))",
  "[^1]\n\n[^1]: [x](javascript:alert(1))",
  '[^"><script>]\n\n[^"><script>]: x',
];

/** Markdown that could break out of an attribute, or that contains a harmless URL which looks dangerous. */
const TRICKY_URLS = [
  '[x](https://example.com "\\" onmouseover=\\"alert(1)")',
  "[x](javascript%3Aalert(1))",
  "[x](https://example.com '\" onmouseover=\"alert(1)')",
  '[x](https://example.com/"onmouseover="alert(1))',
  "[x](https://example.com/&quot;onmouseover=&quot;alert(1))",
  "javascript:alert(1)",
  "www.example.com/javascript:alert(1)",
  'http://example.com/"onmouseover=alert(1)',
  "javascript://www.example.com/%0aalert(1)",
  '![x](https://example.com/a.png "\\" onerror=\\"alert(1)")',
  '![" onerror="alert(1)](x)',
  '![x" onload="alert(1)][y]\n\n[y]: x',
  '![x](x"onerror="alert(1))',
  "[a [b](javascript:alert(1)) c](https://example.com)",
  "[^javascript:alert(1)]\n\n[^javascript:alert(1)]: x",
  "[x](//evil.example)",
  "[x](\\\\evil.example)",
  "[x](?javascript:alert(1))",
];

test.each([...RAW_HTML, ...REJECTED_URLS, ...TRICKY_URLS])(
  "the HTML of the hostile Markdown %j contains only allowed elements, attributes and URLs",
  (text) => {
    expectHarmless(renderMarkdown(text));
  },
);

test.each(RAW_HTML)("the raw HTML %j does not become elements", (text) => {
  const { elements } = parseStrictly(renderMarkdown(text));
  for (const { name, attributes } of elements) {
    // Markdown syntax can produce the elements in this list, but raw HTML must not.
    expect(["img", "input", "del", "em", "hr", "h4", "h5", "h6"]).not.toContain(name);
    if (name === "a") expect(attributes["href"]).toMatch(/^(#note-|https:\/\/example\.com$)/);
  }
});

test.each(REJECTED_URLS)("the links and pictures in %j have no URL", (text) => {
  for (const { name, attributes } of parseStrictly(renderMarkdown(text)).elements) {
    if (name === "a") expect(attributes["href"]).toMatch(/^(#note-.*)?$/);
    if (name === "img") expect(attributes["src"] ?? "").toBe("");
  }
});

test("the HTML of random combinations of dangerous parts contains only allowed elements, attributes and URLs", () => {
  const part = fc.constantFrom(
    ..."[]()<>!*_~`|#\\\"'=&;:\n\t /-",
    "javascript:",
    "data:text/html,",
    "&colon;",
    "&#106;",
    "](",
    "][",
    "]: ",
    "[^",
    "<script",
    "</script>",
    "<img src=x ",
    " onerror=",
    "<!--",
    "-->",
    "```",
    "\n\n",
    "\n    ",
    "\n- ",
    "\n> ",
    "| - |",
    "https://",
    "www.",
    "a",
    "1. ",
  );
  const text = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, (markdown) => {
      expectHarmless(renderMarkdown(markdown));
      expectHarmless(renderMarkdown(markdown, true));
    }),
    { numRuns: 2_000 },
  );
});

test("extremely nested Markdown is either rendered safely or rejected with a MarkdownError", () => {
  for (const deep of [">".repeat(500), "- ".repeat(500), `${"[".repeat(20)}${"*a ".repeat(3)}`]) {
    try {
      expectHarmless(renderMarkdown(`${deep} x`));
    } catch (error) {
      expect(error).toBeInstanceOf(MarkdownError);
    }
  }
});

test("Markdown nested 20 levels deep is rendered safely, and Markdown nested 200 levels deep is rejected with a MarkdownError", () => {
  expect(() => renderMarkdown(`${"> ".repeat(200)}x`)).toThrow(MarkdownError);
  expectHarmless(renderMarkdown(`${"> ".repeat(20)}x`));
});

test.each([
  "python",
  "sql",
  "javascript",
  "typescript",
  "bash",
  "yaml",
  "html",
  "",
  "__proto__",
  "constructor",
])("a hostile code sample in the language %j is shown as text", (language) => {
  const code = `</code></pre><script>alert("1")</script>\n# <img src=x onerror='alert(1)'> &lt; &amp; \u2028 SELECT '<b>'`;
  const { elements, text } = parseStrictly(highlightCode(code, language));
  expect(text).toBe(code);
  for (const { name, attributes } of elements) {
    expect(name).toBe("span");
    expect(Object.keys(attributes)).toEqual(["class"]);
  }
});

test("highlighting does not change the text of a code sample", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 60 }),
      fc.constantFrom("python", "sql", "javascript", "typescript", "bash", "yaml"),
      (code, language) => {
        expect(parseStrictly(highlightCode(code, language)).text).toBe(code);
      },
    ),
    { numRuns: 500 },
  );
});
