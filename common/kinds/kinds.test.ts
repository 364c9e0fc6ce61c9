import { expect, test } from "vitest";
import { articles } from "./articles.ts";
import { KINDS, kindAtPath, kindOfTable, kindSlug } from "./index.ts";
import { itemFileDisposition, itemFileName, itemFileText } from "./item-file.ts";
import { filePath, isPublic, markdownColumns, renderJob } from "./kind-definition.ts";
import { sampleCode } from "./sample-code.ts";
import { usefulLinks } from "./useful-links.ts";

const ID = "3d6785ad-147e-40bd-ab59-cd3aeb847502";
const ROW = { id: ID, title: "Joins", created_at: "2026-11-05T01:02:03+00:00" };
const ARTICLE = {
  ...ROW,
  author_id: "ada",
  content: "# Why\n",
  published: true,
  updated_at: "2026-11-06T00:00:00Z",
};
const SAMPLE = { ...ROW, profile_id: "ada", code_content: "select 1", language: "sql", description: null };

test("each kind is found only by its table and by the paths of its list and items", () => {
  for (const kind of KINDS) {
    expect(kindOfTable(kind.table)).toBe(kind);
    expect(kindAtPath(kind.path)).toBe(kind);
    expect(kindAtPath(`${kind.path}/joins-cd3aeb847502`)).toBe(kind);
    expect(`/${kindSlug(kind)}`).toBe(kind.path);
  }
  expect(() => kindOfTable("profiles")).toThrow("No kind of content uses the table profiles");
  for (const path of ["/", "", "/people", "/articles.md", "/x/articles"])
    expect(kindAtPath(path)).toBeUndefined();
});

test("an unpublished article isn't public, and items of kinds without that state always are", () => {
  expect(isPublic(articles, { published: true })).toBe(true);
  expect(isPublic(articles, { published: false })).toBe(false);
  expect(isPublic(articles, {})).toBe(false);
  expect(isPublic(usefulLinks, {})).toBe(true);
});

test("an article's Markdown and a sample's code are rendered, and links have nothing to render", () => {
  const job = { author: "ada", text: "# Why\n", path: "/articles/joins-cd3aeb847502" };
  expect(renderJob(articles, ARTICLE)).toEqual({ ...job, format: "markdown" });
  expect(renderJob(articles, ARTICLE, true)).toEqual({ ...job, format: "markdown-page" });
  expect(renderJob(articles, ROW)).toMatchObject({ text: "" });
  expect(renderJob(sampleCode, SAMPLE)).toEqual({
    author: "ada",
    text: "select 1",
    format: "code",
    language: "sql",
  });
  expect(renderJob(usefulLinks, ROW)).toBeUndefined();
  expect([articles, usefulLinks, sampleCode].map(markdownColumns)).toEqual([["content"], [], []]);
});

test("an item's file is at its page's address, with an extension that suits its language", () => {
  const page = "joins-cd3aeb847502";
  expect(filePath(articles, ARTICLE)).toBe(`/articles/${page}.md`);
  expect(filePath(usefulLinks, ROW)).toBeUndefined();
  const samples = ["python", "sql", "javascript", "typescript", "bash", "yaml", "cobol"].map((language) => ({
    ...SAMPLE,
    language,
  }));
  const extensions = samples.map((sample) =>
    filePath(sampleCode, sample)?.replace(`/sample-code/${page}.`, ""),
  );
  expect(extensions).toEqual(["py", "sql", "js", "ts", "sh", "yaml", "txt"]);
});

const fileOf = (kind: (typeof KINDS)[number], row: object) =>
  kind.file && itemFileText(kind, kind.file, row as typeof ROW);

test("an article's file has the values of all other columns before its text, without those that are null", () => {
  expect(fileOf(articles, { ...ARTICLE, title: 'Say "hi" \u2028\u009f' })).toBe(
    `---\nid: "${ID}"\ntitle: "Say \\"hi\\" \\u2028\\u009f"\npublished: true\n` +
      "created_at: 2026-11-05T01:02:03+00:00\nupdated_at: 2026-11-06T00:00:00Z\n---\n# Why\n",
  );
  expect(fileOf(articles, { ...ARTICLE, updated_at: null, content: null, title: "2026-11-05" })).toBe(
    `---\nid: "${ID}"\ntitle: "2026-11-05"\npublished: true\ncreated_at: 2026-11-05T01:02:03+00:00\n---\n`,
  );
});

test("a sample's file is its code, byte for byte", () => {
  expect(fileOf(sampleCode, SAMPLE)).toBe("select 1");
  expect(fileOf(sampleCode, { ...SAMPLE, code_content: null })).toBe("");
});

test.each([
  ["Crème: brûlée & more!", "crème-brûlée-more-3d6785ad.md"],
  ["  …?!", "untitled-3d6785ad.md"],
  ["Ｗｉｄｅ ①", "wide-1-3d6785ad.md"],
  ["x".repeat(60), `${"x".repeat(50)}-3d6785ad.md`],
  [`${"x".repeat(48)}--- ${"y".repeat(9)}`, `${"x".repeat(48)}-y-3d6785ad.md`],
  [`${"x".repeat(49)} y`, `${"x".repeat(49)}-3d6785ad.md`],
  ["🎉".repeat(3), "untitled-3d6785ad.md"],
  ["𝔞".repeat(51), `${"a".repeat(50)}-3d6785ad.md`],
])("the title %j becomes the file name %s", (title, name) => {
  expect(itemFileName({ ...ROW, title }, "md")).toBe(name);
  expect(itemFileName({ ...ROW, title }, "md", 36)).toBe(name.replace("3d6785ad", ID));
});

test("a download is named in ASCII for old clients, and in full for others", () => {
  expect(itemFileDisposition({ ...ROW, title: "Crème für 語" }, "md")).toBe(
    `inline; filename="creme-fur-3d6785ad.md"; filename*=UTF-8''${encodeURIComponent("crème-für-語-3d6785ad.md")}`,
  );
});

test("a form is dirty once a field has text that a member would miss", () => {
  const empty = { title: "", content: "", published: false };
  expect(articles.isDirty(empty)).toBe(false);
  expect(articles.isDirty({ ...empty, published: true })).toBe(false);
  expect(articles.isDirty({ ...empty, title: "x" })).toBe(true);
  expect(articles.isDirty({ ...empty, content: "x" })).toBe(true);
  const sample = { title: "", code_content: "", language: "sql", description: "" };
  expect(sampleCode.isDirty(sample)).toBe(false);
  expect(sampleCode.isDirty({ ...sample, title: "x" })).toBe(true);
  expect(sampleCode.isDirty({ ...sample, code_content: "x" })).toBe(true);
});

test("a résumé and search engines get an item's own words", () => {
  const facts = { url: "https://x.example/1", createdOn: "2026-11-05", siteTitle: "Techfolio" };
  expect(sampleCode.resume?.entry(SAMPLE as never, facts)).toEqual({
    name: "Joins",
    description: undefined,
    keywords: ["SQL"],
    startDate: "2026-11-05",
    type: "code sample",
    url: facts.url,
  });
  expect(
    sampleCode.resume?.entry({ ...SAMPLE, description: "Counts", language: "cobol" } as never, facts),
  ).toMatchObject({
    description: "Counts",
    keywords: ["cobol"],
  });
  expect(articles.resume?.entry(ARTICLE as never, facts)).toEqual({
    name: "Joins",
    publisher: "Techfolio",
    releaseDate: "2026-11-05",
    url: facts.url,
  });
  const page = { image: "https://x.example/card.png", absolute: (address: string) => address };
  expect(articles.jsonLd(ARTICLE as never, page)).toEqual({
    "@type": "TechArticle",
    headline: "Joins",
    image: page.image,
  });
  expect(sampleCode.jsonLd(SAMPLE as never, page)).toMatchObject({
    name: "Joins",
    programmingLanguage: "SQL",
  });
});
