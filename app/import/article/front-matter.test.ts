import { expect, test } from "vitest";
import { readFrontMatter } from "./front-matter.ts";
import { readArticle } from "./read-article.ts";

const NOW = new Date("2026-06-15T12:00:00Z");

const FORMS = {
  YAML: "---\ntitle: A\ndate: 2020-01-02\n---\nText",
  "YAML with the name of the language": "--- yaml\ntitle: A\ndate: 2020-01-02\n---\nText",
  "YAML that ends with dots": "---\ntitle: A\ndate: 2020-01-02\n...\nText",
  "Hexo's longer lines of dashes": "-----\ntitle: A\ndate: 2020-01-02\n-----\nText",
  TOML: '+++\ntitle = "A"\ndate = 2020-01-02\n+++\nText',
  "TOML with the name of the language": '---toml\ntitle = "A"\ndate = 2020-01-02\n---\nText',
  "Hugo's JSON": '{\n  "title": "A",\n  "date": "2020-01-02",\n  "x": { "y": "} \\" {" }\n}\n\nText',
  "gray-matter's JSON": '---json\n{ "title": "A", "date": "2020-01-02" }\n---\nText',
  "Hexo's JSON": '"title": "A",\n"date": "2020-01-02"\n;;;\nText',
  "Hexo's YAML without its first line": "title: A\ndate: 2020-01-02\ntags:\n- a\n  # comment\n---\nText",
  "Pelican's fields": "Title: A\nDate: 2020-01-02\nSummary: one\n   two\n\nText",
};

for (const [form, text] of Object.entries(FORMS)) {
  const mayFollowBlankLines = !form.startsWith("Pelican") && !form.startsWith("Hexo's YAML w");
  const places = `after a byte-order mark${mayFollowBlankLines ? " and after blank lines" : ""}`;
  test(`${form}: front matter is read with any line endings and ${places}`, () => {
    const variants = [
      text,
      text.replaceAll("\n", "\r\n"),
      text.replaceAll("\n", "\r"),
      `\ufeff${text}`,
      ...(mayFollowBlankLines ? [`\n \n\n${text}`, `\ufeff\r\n${text}`] : []),
    ];
    for (const variant of variants) {
      const article = readArticle(variant, "a.md", NOW, NOW);
      expect(article.fields, JSON.stringify(variant)).toEqual({
        title: "A",
        content: "Text",
        published: true,
      });
      expect(article.createdAt).toBe("2020-01-02T12:00:00.000Z");
    }
  });
}

test.each([
  "{% raw %}\nText",
  "{{ template }}\nText",
  "{ not JSON }\nText",
  "Note: a heading\n---\nText",
  "Remember: this\n\nText",
  "Title\n---\nText",
  "----\nText",
  "---\n- a\n- list\n---\nText",
  "- title: in a list\n---\nText",
])("the Markdown %j has no front matter and stays unchanged", (text) => {
  expect(readFrontMatter(text)).toMatchObject({ fields: null, body: text });
});

test("front matter values with YAML tags are decoded, and unknown tags are listed", () => {
  const yaml = `title: !binary |
  R3LDvMOfZQ==
subtitle: !!binary R3LDvMOfZQ==
slug: !!str 2020
date: !!timestamp 2020-01-02T03:04:05Z
count: !!int 7
name: !!python/unicode 'Ada'
author: !ruby/object:Author
  name: Ada
mood: !mood good`;
  const { fields, unknownTags } = readFrontMatter(`---\n${yaml}\n---\nText`);
  expect(Object.fromEntries(fields ?? [])).toEqual({
    title: "Grüße",
    subtitle: "Grüße",
    slug: "2020",
    date: "2020-01-02T03:04:05Z",
    count: "7",
    name: "Ada",
    author: { name: "Ada" },
    mood: "good",
  });
  expect(unknownTags.join()).toBe("!ruby/object:Author,!mood");
  expect(readArticle(`---\n${yaml}\n---\nText`, "a.md", NOW, NOW).notes).toContain(
    "has a YAML tag that is not understood: !mood",
  );
});

test.each([
  [
    "---\ntitle: A\ntags: [a\nb: c\n---\nText",
    /not valid YAML\. Correct line \d+, or put the value in quotes\. \(.+\)$/,
  ],
  ["---\ntitle: A: B\n---\nText", /not valid YAML\. Correct line 2/],
  [
    '+++\ntitle = "A"\ntags = ["a", b"]\n+++\nText',
    /not valid TOML\. Correct line 3, or put the value in quotes\. \(.+\)$/,
  ],
  ['{\n  "title": "A",\n}\n\nText', /not valid JSON\. Correct the lines at the top of the file/],
])("the error for the front matter %j says which lines to correct", (text, message) => {
  expect(() => readArticle(text, "a.md", NOW, NOW)).toThrow(message);
});

const fieldsOf = (text: string, isFromNotion = false) => {
  const { fields, body } = readFrontMatter(text, isFromNotion);
  return { fields: fields && Object.fromEntries(fields), body };
};

test.each([
  // Lines of dashes, with blanks and the name of the language.
  ["---\n---\nText", {}],
  ["---\n\n---\nText", {}],
  ["--- \t\ntitle: A\n--- \t\nText", { title: "A" }],
  ["---yml\ntitle: A\n---\nText", { title: "A" }],
  ["---\ntitle: A\n--- \nText", { title: "A" }],
  ["---\ntitle: |\n  A\n  ---\n---\nText", { title: "A\n---\n" }],
  ["---\na: 1\na: 2\n---\nText", { a: "2" }],
  [
    "---\ntitle: ~\nb: null\nc: Null\nd: NULL\ne: nullable\nf: 'null'\n---\nText",
    { title: "", b: "", c: "", d: "", e: "nullable", f: "null" },
  ],
  ["---\nnull: a\nlist: [~, b]\n---\nText", { null: "a", list: ["", "b"] }],
  ["+++\n+++\nText", {}],
  [
    "+++ \na = 1\nb = true\nc = 2020-01-02T03:04:05Z\nd = 9007199254740993\n+++ \nText",
    { a: "1", b: "true", c: "2020-01-02T03:04:05.000Z", d: "9007199254740993" },
  ],
  ["--- toml\na = 1\n---\nText", { a: "1" }],
  ['--- json \n{ "a": 1 }\n--- \nText', { a: "1" }],
  [';;; \n"a": 1\n;;;; \nText', { a: "1" }],
  [';;;;\n{ "a": null, "b": [1] }\n;;;\nText', { a: null, b: [1] }],
  ['{"a":"}\\\\","b":{"c":{}}}Text', { a: "}\\", b: { c: {} } }],
  ['{ "a" : 1 }  ;;; \nText', { a: "1" }],
  ['"a": 1\n;;;\nText', { a: "1" }],
  ['  "a": 1,\n "b": 2\n;;;; \nText', { a: "1", b: "2" }],
  ["title:\n - a\n# note\n------ \nText", { title: ["a"] }],
  ["title: A --- B\ndate: 2020-01-02\n---\nText", { title: "A --- B", date: "2020-01-02" }],
  ['"title": "A;;; B"\n;;;\nText', { title: "A;;; B" }],
  ['---json\n\n{ "a": 1 }\n\n---\nText', { a: "1" }],
  ["Publish_Date: 2020-01-02\nTITLE: A\n---\nText", { publishdate: "2020-01-02", title: "A" }],
])("the front matter %j is read, and the text after it", (text, fields) => {
  expect(fieldsOf(text)).toEqual({ fields, body: "Text" });
});

test.each([
  [
    "Title: A\nTags: a, b\n\tc\nAlso (x): y\nEmpty:\n\nText",
    { title: "A", tags: "a, b c", "also(x)": "y", empty: "" },
    "\nText",
  ],
  ["date: 2020-01-02\n \nText", { date: "2020-01-02" }, " \nText"],
  ["Title:A B \nSummary: one \n  two \n\nText", { title: "A B", summary: "one two" }, "\nText"],
  ["Title: A\n", { title: "A" }, ""],
])("the plain fields %j end at a blank line", (text, fields, body) => {
  expect(fieldsOf(text)).toEqual({ fields, body });
});

test.each([
  "--\ntitle: A\n--\nText",
  "--- a\ntitle: A\n---\nText",
  "---\ntitle: A\n---x\nText",
  "---\ntitle: A\nText",
  "x---\ntitle: A\n---\nText",
  "++\na = 1\n++\nText",
  "---\ntext\n---\nText",
  "{ a: 1 }\nText",
  'Text with "a": 1\n;;;\n',
  "Titles: A\n\nText",
  "Title: A\nText",
  "Title A\n\nText",
  "1title: A\n---\nText",
  "subtitle: A\n---\nText",
  "title: [\n---\nText",
])("the text %j has no front matter", (text) => {
  expect(readFrontMatter(text)).toMatchObject({ fields: null, body: text, unknownTags: [] });
});

test("the properties of a page from Notion are read, and its heading stays", () => {
  const page = "# A page\n\nTags: sql, aws\nDue date: Jan 5, 2024: noon\n\nText: more\n";
  expect(fieldsOf(page, true)).toEqual({
    fields: { tags: "sql, aws", duedate: "Jan 5, 2024: noon" },
    body: "# A page\n\nText: more\n",
  });
  expect(fieldsOf(page.replaceAll("\n", "\r\n"), true).fields).toEqual({
    tags: "sql, aws",
    duedate: "Jan 5, 2024: noon",
  });
  expect(fieldsOf("# A page\n\nTags: sql", true)).toEqual({ fields: { tags: "sql" }, body: "# A page\n\n" });
  expect(readFrontMatter(page)).toMatchObject({ fields: null, body: page });
  for (const text of [
    "# A page\nTags: sql\n\nText",
    "## A page\n\nTags: sql\n\nText",
    "# A page\n\nTags: sql\nText",
    "# A page\n\n- Tags: sql\n\nText",
    "# A page\n\nTags:sql\n\nText",
  ])
    expect(fieldsOf(text, true), text).toEqual({ fields: null, body: text });
});

test("a field's name is shown as the file spells it", () => {
  const { originalName } = readFrontMatter("---\nPublish-Date: a\n---\nText");
  expect(["publishdate", "other"].map(originalName)).toEqual(["Publish-Date", "other"]);
  expect(readFrontMatter("Text").originalName("other")).toBe("other");
});

test.each([
  [
    "---\ntitle: A: B\n---\nText",
    /^cannot be read: its front matter is not valid YAML\. Correct line 2, or put the value in quotes\. \([^\n]+[^:\d]\)$/,
  ],
  [
    "---\ntitle: !!binary 'a'\n---\nText",
    /^cannot be read: its front matter is not valid YAML\. Correct (?:line 2|the lines between the two lines of dashes), or put/,
  ],
  [
    "+++\n\na = \n+++\nText",
    /^cannot be read: its front matter is not valid TOML\. Correct line 3, or put the value in quotes\. \((?!Invalid TOML)[^\n]{10,}\)$/,
  ],
  [
    "--- json\n{ a }\n---\nText",
    /^cannot be read: its front matter is not valid JSON\. Correct the lines at the top of the file\. \([^\n]+\)$/,
  ],
])("the error for %j is one sentence with the place and the reason", (text, message) => {
  expect(() => readFrontMatter(text)).toThrow(message);
});
