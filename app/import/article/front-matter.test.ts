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
