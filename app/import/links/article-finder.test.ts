import { expect, test } from "vitest";
import { ArticleFinder } from "./article-finder.ts";

const find = (address: string, paths: string[], from = "posts/first.md") =>
  new ArticleFinder([from, ...paths]).find(address, from);

test.each([
  ["b.md", "posts/b.md"],
  ["b", "posts/b.md"],
  ["b/", "posts/b.md"],
  ["b//", "posts/b.md"],
  ["./b.markdown", "posts/b.md"],
  ["b.mdown", "posts/b.md"],
  ["b.mkd", "posts/b.md"],
  ["b.html", "posts/b.md"],
  ["b.HTM", "posts/b.md"],
  ["B.MD?x=1#y", "posts/b.md"],
  ["../posts/b.md", "posts/b.md"],
  ["posts/b.md", "posts/b.md"],
  ["/posts/b.md", "posts/b.md"],
  ["/b.md", "posts/b.md"],
  ["../b/", "posts/b.md"],
  ["c", "posts/first/c.md"],
  ["d", "posts/d/index.md"],
  ["e", "posts/e/_index.md"],
  ["f", "posts/f/README.md"],
  ["a%20b.md", "posts/a b.md"],
  ["100%.md", "posts/100%.md"],
  // By their names only.
  ["g", "other/g.md"],
  ["/2019/03/g/", "other/g.md"],
  ["title", "_posts/2021-09-03-title.md"],
  ["title", "_posts/2021-9-3-title.md"],
  ["2021-09-03-title", "_posts/2021-09-03-title.md"],
  ["/blog/title.html", "_posts/2021-09-03-title.md"],
  ["h", "other/h/index.md"],
])("the address %s in posts/first.md leads to %s", (address, path) => {
  expect(find(address, [path])).toBe(path);
});

test.each([
  ["b.md", "posts/b/c.md"],
  ["b.txt", "posts/b.md"],
  ["b.md.txt", "posts/b.md"],
  ["https://a.example/b.md", "posts/b.md"],
  ["//a.example/b.md", "posts/b.md"],
  ["mailto:b", "posts/b.md"],
  ["", "posts/b.md"],
  ["..", "posts/b.md"],
  ["#b", "posts/b.md"],
  ["x/g", "other/g.md"],
  ["itle", "_posts/2021-09-03-title.md"],
  ["title", "_posts/2021-09-title.md"],
  ["title", "_posts/a2021-09-03-title.md"],
  ["title", "_posts/20211-09-03-title.md"],
  ["title", "_posts/2021-009-03-title.md"],
  ["title", "_posts/2021-09-003-title.md"],
  ["index", "posts/d/index.md"],
  ["indexes", "posts/d/index.md"],
  ["d", "posts/d/index-of-things.md"],
])("the address %s in posts/first.md doesn't lead to %s", (address, path) => {
  expect(find(address, [path])).toBeNull();
});

test.each("tag tags category categories topic topics author authors series page feed search Tags".split(" "))(
  "an address below /%s/ isn't an article's, although its last part is an article's name",
  (list) => {
    expect(find(`/${list}/g/`, ["other/g.md"])).toBeNull();
    expect(find(`/blog/${list}/g/`, ["other/g.md"])).toBeNull();
    expect(find(`/my${list}s/g/`, ["other/g.md"])).toBe("other/g.md");
    expect(find(`/${list}/g/`, [`${list}/g.md`])).toBe(`${list}/g.md`);
  },
);

test("of several files with an address, the nearest one counts, and a name that two have leads to neither", () => {
  expect(find("g.md", ["posts/g.md", "g.md"])).toBe("posts/g.md");
  expect(find("/g", ["g.md", "posts/g.md"])).toBe("posts/g.md");
  expect(find("g", ["a/g.md", "b/g.md"])).toBeNull();
  expect(find("g", ["a/2021-09-03-g.md", "b/g.md"])).toBeNull();
  expect(find("posts/g", ["posts/g.md", "posts/g/index.md"])).toBe("posts/g.md");
});
