import { expect, test } from "vitest";
import { findPicture } from "./find-picture.ts";

const NAME = `${"0a".repeat(16)}-800x600.webp`;
const USER = "11111111-1111-4111-8111-111111111111";

test.each([
  ["Hugo's page bundle", "plan.png", "content/posts/joins/index.md", "content/posts/joins/plan.png"],
  [
    "a folder of the bundle",
    "./img/plan.png",
    "content/posts/joins/index.md",
    "content/posts/joins/img/plan.png",
  ],
  ["the folder above", "../img/plan.png", "posts/joins.md", "img/plan.png"],
  ["Hugo's static folder", "/images/plan.png", "content/posts/joins.md", "site/static/images/plan.png"],
  ["Jekyll's assets", "/assets/img/plan.png", "blog/_posts/2020-01-01-joins.md", "blog/assets/img/plan.png"],
  ["Obsidian's attachments", "plan.png", "vault/notes/joins.md", "vault/attachments/plan.png"],
  ["an encoded name", "my%20plan.png", "a.md", "my plan.png"],
  ["an address with a query", "plan.png?raw=true#x", "a.md", "plan.png"],
  [
    "a download of this site",
    `/storage/v1/object/public/pictures/${USER}/${NAME}`,
    "articles/a.md",
    `pictures/${NAME}`,
  ],
  [
    "a download of another site",
    `https://other.example/storage/v1/object/public/pictures/${USER}/${NAME}`,
    "ada/articles/a.md",
    `ada/pictures/${NAME}`,
  ],
])("%s: the picture %s in %s is found at %s", (_, address, article, path) => {
  expect(findPicture(address, article, ["other/x.png", path, "other/y.png"])).toBe(path);
});

test("a picture next to the article is preferred over others with the same name", () => {
  const paths = ["a/plan.png", "posts/b/plan.png", "plan.png"];
  expect(findPicture("plan.png", "posts/b/index.md", paths)).toBe("posts/b/plan.png");
});

test.each([
  "https://example.com/plan.png",
  "//example.com/plan.png",
  "data:image/png;base64,AAAA",
  "missing.png",
  "",
  "../",
])("the picture URL %j in an article matches no file", (address) => {
  expect(findPicture(address, "posts/a.md", ["posts/plan.png"])).toBeUndefined();
});
