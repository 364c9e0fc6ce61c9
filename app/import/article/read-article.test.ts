import { expect, test } from "vitest";
import { readArticle } from "./read-article.ts";

const MODIFIED = new Date("2026-01-01T00:00:00Z");

const CASES: Record<
  string,
  { path: string; text: string; expected: object; createdAt?: string | null; id?: string; notes?: string[] }
> = {
  "Hugo's page bundle with TOML": {
    path: "content/posts/indexes/index.md",
    text: `+++
title = 'Why indexes lie'
date = 2023-04-05T06:07:08+02:00
lastmod = 2023-05-01
draft = false
tags = ["sql", "postgresql"]
[cover]
image = "a.png"
+++

Text
`,
    expected: { title: "Why indexes lie", content: "Text\n", published: true },
    createdAt: "2023-04-05T06:07:08.000+02:00",
    notes: ["left out: tags, cover"],
  },
  "Hugo's draft with YAML": {
    path: "posts/draft.md",
    text: "---\ntitle: 2024\ndate: 2024-01-05\ndraft: true\n---\nText",
    expected: { title: "2024", content: "Text", published: false },
    createdAt: "2024-01-05T12:00:00.000Z",
  },
  "Jekyll's post with its date in the file name, Windows line endings and a byte-order mark": {
    path: "_posts/2020-02-03-from-jekyll.md",
    text: "\ufeff---\r\nlayout: post\r\ncategories: [a, b]\r\n---\r\n\r\n```\r\n# no heading\r\n```\r\n\r\n## The heading ##\r\nText\r\n",
    expected: {
      title: "The heading",
      content: "```\r\n# no heading\r\n```\r\n\r\nText\r\n",
      published: true,
    },
    createdAt: "2020-02-03T12:00:00.000Z",
    notes: ["left out: layout, categories"],
  },
  "Jekyll's unpublished post": {
    path: "_posts/2020-02-03-hidden.md",
    text: '---\ntitle: "Hidden: a post"\ndate: 2020-02-03 04:05:06 +0100\npublished: false\n---\nText\n',
    expected: { title: "Hidden: a post", content: "Text\n", published: false },
    createdAt: "2020-02-03T04:05:06+01:00",
  },
  "Jekyll's draft": {
    path: "_drafts/idea.md",
    text: "---\ntitle: Idea\n---\nText",
    expected: { title: "Idea", content: "Text", published: false },
    createdAt: null,
  },
  "Hashnode's post with a date in JavaScript's format": {
    path: "cln1abcd.md",
    text: `---
title: "Lambda, \\"cold\\" starts"
seoTitle: "Cold"
datePublished: Mon Mar 04 2024 10:11:12 GMT+0000 (Coordinated Universal Time)
cuid: cln1abcd
slug: cold-starts
cover: https://cdn.example.com/a.png
tags: aws, lambda

---

Text`,
    expected: { title: 'Lambda, "cold" starts', content: "Text", published: true },
    createdAt: "2024-03-04T10:11:12+00:00",
    notes: ["left out: seoTitle, cuid, slug, cover, tags"],
  },
  "DEV's unpublished post": {
    path: "dev.md",
    text: "---\ntitle: 'From DEV'\npublished: false\ndescription: >\n  two\n  lines\ntags: 'a, b'\ncanonical_url: null\n---\n\nText\n",
    expected: { title: "From DEV", content: "Text\n", published: false },
    createdAt: null,
    notes: ["left out: description, tags, canonical_url"],
  },
  "DEV's post with its publication time": {
    path: "dev.md",
    text: "---\ntitle: From DEV\npublished: true\npublished_at: 2022-05-06 07:08 +0000\n---\nText",
    expected: { title: "From DEV", content: "Text", published: true },
    createdAt: "2022-05-06T07:08:00+00:00",
  },
  "Ghost's post from a converter": {
    path: "posts/ghost.md",
    text: '---\ntitle: "Ghost"\ndate: "2018-08-10T16:30:21.000Z"\nstatus: draft\nfeature_image: a.png\nid: 5b6dbe0d\n---\n\nText',
    expected: { title: "Ghost", content: "Text", published: false },
    createdAt: "2018-08-10T16:30:21.000+00:00",
    id: "5b6dbe0d",
    notes: ["left out: feature_image"],
  },
  "a post with its publication time in the field 'published'": {
    path: "a.md",
    text: "---\ntitle: A\npublished: 2019-01-02T03:04:05Z\n---\nText",
    expected: { title: "A", content: "Text", published: true },
    createdAt: "2019-01-02T03:04:05+00:00",
  },
  "Markdown without front matter": {
    path: "notes/My notes.markdown",
    text: "Only text\n",
    expected: { title: "My notes", content: "Only text\n", published: false },
    createdAt: null,
  },
  "Markdown that starts with a thematic break": {
    path: "rules.md",
    text: "---\nno fields\n---\nText\n====\n",
    expected: { title: "Text", content: "---\nno fields\n---\n", published: false },
    createdAt: null,
  },
  "a post with an unreadable date": {
    path: "a.md",
    text: "---\ntitle: A\ndate: the day after\n---\nText",
    expected: { title: "A", content: "Text", published: true },
    createdAt: null,
    notes: ["the date “the day after” is not understood"],
  },
};

for (const [name, { path, text, expected, createdAt, id = null, notes = [] }] of Object.entries(CASES)) {
  test(`${name} is imported with the expected title, text, state, date and notes`, () => {
    expect(readArticle(text, path, MODIFIED)).toMatchObject({ fields: expected, createdAt, notes, id });
  });
}

test("an article with invalid front matter is rejected", () => {
  expect(() => readArticle("---\ntitle: [\n---\nText", "a.md", MODIFIED)).toThrow();
  expect(() => readArticle("+++\ntitle = \n+++\nText", "a.md", MODIFIED)).toThrow();
});

test("an article with a YAML alias bomb in its front matter is rejected", () => {
  const levels = Array.from(
    { length: 12 },
    (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(", ")}]`,
  );
  expect(() => readArticle(`---\na0: &a0 x\n${levels.join("\n")}\n---\nText`, "a.md", MODIFIED)).toThrow();
});

test.each([
  ["~~~\n# no\n```\n# no\n~~~~ \n# Yes", "Yes"],
  ["```\n# never closed", "name"],
  ["```md\r\n# no\r\n```\r\n\r\nUnder lined \r\n===\r\n", "Under lined"],
  ["text\n```\ncode\n```\n====\n# Yes", "Yes"],
  ["#hashtag\n##\t\n  ### Third # one ###", "Third # one"],
  ["   \n===\n# Yes", "Yes"],
])("the article %j gets the title %j", (text, title) => {
  expect(readArticle(text, "name.md", MODIFIED).fields.title).toBe(title);
});

/** In order: the first readable date counts. */
const CREATED =
  "created_at date datePublished published_at publishedOn published-date publishDate pubDate post_date first_published_at dateCreated created createdOn published".split(
    " ",
  );
const UPDATED =
  "updated_at lastmod last_modified_at lastModified modified modifiedAt dateUpdated date_modified updatedDate updated".split(
    " ",
  );
const dayOf = (at: number) => `2020-01-${String(at + 1).padStart(2, "0")}`;

test.each([
  ["creation", CREATED, "createdAt"],
  ["last change", UPDATED, "updatedAt"],
] as const)("the date of the %s is that of the first field that has one", (_, names, property) => {
  for (const [at, name] of names.entries()) {
    const lines = names.slice(at).map((field, index) => `${field}: ${dayOf(at + index)}`);
    // The order of the fields in the file doesn't matter.
    const text = `---\ntitle: A\n${lines.toReversed().join("\n")}\n---\nText`;
    const article = readArticle(text, "a.md", MODIFIED, MODIFIED);
    expect(article[property], name).toBe(`${dayOf(at)}T12:00:00.000Z`);
    expect(article).toMatchObject({ notes: [], hasUnreadableDate: false, unpublishedReason: null });
  }
});

test("an article without dates was changed when its file was, and has the id, names and addresses of its fields", () => {
  const id = "0B9C2A54-1111-4111-8111-111111111111";
  const text = `---\ntitle: " A "\nid: " ${id} "\nslug: my-slug\npermalink: /a/\naliases: [/b/, " /c/ ", ""]\n---\r\n\r\nText`;
  expect(readArticle(text, "posts/my-file.md", MODIFIED, MODIFIED)).toMatchObject({
    source: "posts/my-file.md",
    id: id.toLowerCase(),
    createdAt: null,
    updatedAt: MODIFIED.toISOString(),
    modifiedAt: MODIFIED.toISOString(),
    names: ["my-file", "my-slug"],
    oldAddresses: [
      { field: "permalink", address: "/a/" },
      { field: "aliases", address: "/b/" },
      { field: "aliases", address: "/c/" },
    ],
    fields: { title: " A ", content: "\r\nText" },
  });
});

test("unreadable dates of both kinds are reported", () => {
  const text = "---\ntitle: A\ndate: soon\nupdated: later\npublished: maybe\n---\nText";
  expect(readArticle(text, "a.md", MODIFIED)).toMatchObject({
    hasUnreadableDate: true,
    notes: ["the date “soon” is not understood", "the date “later” is not understood"],
  });
});
