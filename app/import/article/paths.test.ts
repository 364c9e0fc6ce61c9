import { expect, test } from "vitest";
import { readFiles } from "../files/read-files.ts";
import { readArticle } from "./read-article.ts";

const NOW = new Date("2026-06-15T12:00:00Z");

test.each([
  ["_posts/2021-09-03-my-title.md", "my-title"],
  ["2021-9-3-my-title.md", "my-title"],
  ["2021_09_03 my title.md", "my title"],
  ["20210903-my-title.md", "my-title"],
  ["notes/202109031205 my title.md", "my title"],
  ["blog/2021-09-03-my-title/index.md", "my-title"],
  ["blog/2021-09-03/my-title.md", "my-title"],
  ["blog/2021/09/03/my-title.md", "my-title"],
  ["blog/2021/9/3/my-title/index.md", "my-title"],
  ["2021-09-03.md", "2021-09-03"],
])("the article at %s has the date 2021-09-03 and the title %s", (path, title) => {
  const { createdAt, fields } = readArticle("Text", path, NOW, NOW);
  expect(createdAt).toBe("2021-09-03T12:00:00.000Z");
  expect(fields.title).toBe(title);
});

test.each([
  ["index.md", "index"],
  ["notes/text.md", "text"],
  ["posts/my-index.md", "my-index"],
  ["posts/indexing.md", "indexing"],
  ["posts/_readme.md", "posts"],
])("the article at %s has the title %s and no date", (path, title) => {
  const { createdAt, fields } = readArticle("Text", path, NOW, NOW);
  expect([fields.title, createdAt]).toEqual([title, null]);
});

test("a name that several files have is their folder's name", async () => {
  const file = (path: string, text = "Text") => {
    const chosen = new File([text], path.split("/").at(-1) ?? "");
    Object.defineProperty(chosen, "webkitRelativePath", { value: path });
    return chosen;
  };
  const { items } = await readFiles([
    file("posts/2021-09-03-joins/content.md"),
    file("posts/views/Content.md"),
    file("posts/keys/content.md", "# All about keys\n\nText"),
    file("posts/locks/notes.md"),
  ]);
  expect(items.map(({ fields }) => fields.title)).toEqual(["joins", "views", "All about keys", "notes"]);
});

test.each([
  ["title: null\ndate: ~", "A heading"],
  ["title: ~\ndate:", "A heading"],
  ["title: 'null'", "null"],
  ['title: "~"', "~"],
])("with the fields %j, the title is %j", (fields, title) => {
  const article = readArticle(`---\n${fields}\n---\n# A heading\n\nText`, "a.md", NOW, NOW);
  expect(article).toMatchObject({ createdAt: null, fields: { title }, notes: [] });
});

test.each([
  ["Old notes.textbundle/text.markdown", "Old notes"],
  ["Export/2021/Old notes.textbundle/text.md", "Old notes"],
  ["Old notes.textbundle/more.md", "more"],
])("without a heading, the note at %s is named %s", (path, title) => {
  expect(readArticle("Text", path, NOW, NOW).fields.title).toBe(title);
});

test.each(["2021-13-03-title.md", "release-2021-09-03.md", "12345678-title.md", "2021/title.md", "title.md"])(
  "the article at %s has no date",
  (path) => {
    expect(readArticle("Text", path, NOW, NOW).createdAt).toBeNull();
  },
);

test("an article with an invalid date gets the date from the next date field, or from its file name", () => {
  const read = (lines: string) =>
    readArticle(`---\ntitle: A\n${lines}\n---\nText`, "2021-09-03-a.md", NOW, NOW);
  expect(read("date: sometime\ncreated: 2019-05-06T07:08:09Z")).toMatchObject({
    createdAt: "2019-05-06T07:08:09+00:00",
    notes: ["the date “sometime” is not understood"],
  });
  expect(read("date: sometime\nlastmod: never\nmodified: 2022-01-01T00:00:00Z")).toMatchObject({
    createdAt: "2021-09-03T12:00:00.000Z",
    updatedAt: "2022-01-01T00:00:00+00:00",
  });
});
