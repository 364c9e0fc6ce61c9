import { v5 } from "uuid";
import { describe, expect, test } from "vitest";
import { hasOwnPath, idsOf, spareIdsOf } from "./ids.ts";

const ADA = "11111111-1111-4111-8111-111111111111";
const ID = "0b9c2a54-1111-4111-8111-111111111111";
const fields = { title: "Joins", content: "Text" };
const item = (path: string, id: string | null = null) => ({ id, path, fields });

describe("the names of files that many folders have", () => {
  test.each(["index.md", "_index.md", "README.md", "_readme.markdown", "Index.HTML"])(
    "%s doesn't distinguish articles",
    (path) => {
      expect(hasOwnPath(item(path))).toBe(false);
      expect(hasOwnPath(item(path, "5b6dbe0d"))).toBe(true);
    },
  );

  test.each([
    "posts/index.md",
    "my-index.md",
    "index",
    "index.md/joins.md",
    "readme2.md",
    "__index.md",
    "readme.",
    "joins.md",
  ])("%s does", (path) => {
    expect(hasOwnPath(item(path))).toBe(true);
  });
});

describe("the ids that an import may give an item", () => {
  test("a UUID comes first, and then one that is derived from it", () => {
    expect(idsOf(item("a.md", ID), ADA)).toEqual([ID, v5(ID, ADA)]);
  });

  test("another program's id only has a derived one", () => {
    expect(idsOf(item("a.md", "5b6dbe0d"), ADA)).toEqual([v5("5b6dbe0d", ADA)]);
  });

  test("without an id, the path decides, or for index.md also the title and then the text", () => {
    expect(idsOf(item("posts/a.md"), ADA)).toEqual([v5("posts/a.md", ADA)]);
    expect(idsOf(item("index.md"), ADA)).toEqual([
      v5("index.md\nJoins", ADA),
      v5("index.md\nJoins\nText", ADA),
    ]);
  });

  test("twenty more follow, each derived from the one before, beginning with the last", () => {
    const spare = spareIdsOf(item("index.md"), ADA);
    expect(spare).toHaveLength(20);
    let last = v5("index.md\nJoins\nText", ADA);
    for (const id of spare) {
      expect(id).toBe(v5(last, ADA));
      last = id;
    }
  });
});
