import { expect, test } from "vitest";
import { PICTURE_NAME, PictureFinder } from "./find-picture.ts";

const NAME = `${"0a".repeat(16)}-800x600.webp`;
const USER = "11111111-1111-4111-8111-111111111111";

function find(address: string, text: string, pictures: string[], otherTexts: string[] = []) {
  return new PictureFinder(pictures, [text, ...otherTexts]).find(address, text);
}

test.each([
  ["Hugo's page bundle", "plan.png", "content/posts/joins/index.md", "content/posts/joins/plan.png"],
  ["a folder of the bundle", "./img/plan.png", "posts/joins/index.md", "posts/joins/img/plan.png"],
  ["the folder above", "../img/plan.png", "posts/joins.md", "img/plan.png"],
  ["a folder with the text's name", "plan.png", "source/_posts/joins.md", "source/_posts/joins/plan.png"],
  ["Hugo's static folder", "/images/plan.png", "content/posts/joins.md", "static/images/plan.png"],
  ["Astro's public folder", "/img/plan.png", "blog/src/content/joins.md", "blog/public/img/plan.png"],
  ["Jekyll's assets", "/assets/img/plan.png", "blog/_posts/2020-01-01-joins.md", "blog/assets/img/plan.png"],
  ["Obsidian's attachments", "plan.png", "vault/notes/joins.md", "vault/attachments/plan.png"],
  ["a path from the root", "files/2020/plan.png", "vault/notes/joins.md", "files/2020/plan.png"],
  ["the only file with this name", "plan.png", "vault/notes/joins.md", "vault/media/2020/plan.png"],
  ["an encoded name", "my%20plan.png", "a.md", "my plan.png"],
  ["a name that looks encoded", "100%25.png", "a.md", "100%25.png"],
  ["Windows' separators", "img\\plan.png", "posts/a.md", "posts/img/plan.png"],
  ["an address with a query", "plan.png?raw=true#x", "a.md", "plan.png"],
  ["a decomposed file name", "caf\u00e9.png", "a.md", "cafe\u0301.png"],
  [
    "a decomposed address",
    "cafe\u0301.png",
    "posts/e\u0301t\u00e9/index.md",
    "posts/\u00e9te\u0301/caf\u00e9.png",
  ],
  ["another case", "IMG/Plan.PNG", "posts/a.md", "posts/img/plan.png"],
  ["another case in a shared folder", "plan.jpg", "Notes/a.md", "Assets/PLAN.JPG"],
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
])("%s: the picture %s in %s is found at %s", (_, address, text, path) => {
  expect(find(address, text, ["other/x.png", path, "other/y.png"])).toEqual({ path });
});

test.each([
  [
    "next to the text",
    ["posts/b/plan.png", "a/plan.png", "posts/b/assets/plan.png", "plan.png"],
    "posts/b/plan.png",
  ],
  [
    "in the nearest folder for pictures",
    ["images/plan.png", "posts/images/plan.png"],
    "posts/images/plan.png",
  ],
  ["with the same case", ["posts/b/PLAN.png", "posts/b/plan.png"], "posts/b/plan.png"],
])("of several pictures with the same name, the one %s is used", (_, pictures, path) => {
  expect(find("plan.png", "posts/b/index.md", pictures)).toEqual({ path });
});

test("a bare name that several files have, none of them near, finds none", () => {
  expect(find("plan.png", "posts/a.md", ["x/plan.png", "y/PLAN.png"])).toEqual({ problem: "ambiguous" });
});

test.each([
  ["in another page bundle", "plan.png", "posts/b/plan.png", "posts/b/index.md"],
  ["below another page bundle", "plan.png", "posts/b/img/plan.png", "posts/b/index.md"],
  ["in another text's folder", "plan.png", "posts/b/plan.png", "posts/b.md"],
  ["next to another text", "plan.png", "drafts/plan.png", "drafts/b.md"],
  ["in a bundle with a relative path's name", "b/plan.png", "posts/b/plan.png", "posts/b/index.md"],
])("a picture %s is not used", (_, address, picture, otherText) => {
  expect(find(address, "posts/a/index.md", [picture], [otherText])).toEqual({ problem: "missing" });
});

test("a text may name another text's picture by its exact path", () => {
  const texts = ["posts/b/index.md"];
  expect(find("../b/plan.png", "posts/a/index.md", ["posts/b/plan.png"], texts)).toEqual({
    path: "posts/b/plan.png",
  });
  expect(find("/posts/b/plan.png", "posts/a/index.md", ["posts/b/plan.png"], texts)).toEqual({
    path: "posts/b/plan.png",
  });
});

test.each([
  "https://example.com/plan.png",
  "//example.com/plan.png",
  "data:image/png;base64,AAAA",
  "",
  "../",
  "#plan.png",
])("the address %j is not looked up among the files", (address) => {
  expect(find(address, "posts/a.md", ["posts/plan.png"])).toBeNull();
});

test.each(["missing.png", "deep/er/plan.png", "toString", "%ff.png"])(
  "the address %j finds no file",
  (address) => {
    expect(find(address, "posts/a.md", ["posts/plan.png"])).toEqual({ problem: "missing" });
  },
);

const PICTURE_FOLDERS = ["images", "assets", "attachments", "static", "public"];

test.each(PICTURE_FOLDERS)(
  "of two files with the same name, the one in %s is found, also next to another text",
  (folder) => {
    const pictures = ["x/plan.png", `vault/${folder}/plan.png`];
    const found = { path: `vault/${folder}/plan.png` };
    expect(find("plan.png", "vault/notes/a.md", pictures)).toEqual(found);
    expect(find("plan.png", "vault/notes/a.md", pictures, [`vault/${folder}/about.md`])).toEqual(found);
    expect(find("plan.png", "a.md", [`${folder}/plan.png`, "x/plan.png"], [`${folder}/b.md`])).toEqual({
      path: `${folder}/plan.png`,
    });
  },
);

test.each(["my-assets", "imagesets", "public/web"])(
  "a picture in %s belongs to the text next to it",
  (folder) => {
    expect(find("plan.png", "a.md", [`${folder}/plan.png`], [`${folder}/b.md`])).toEqual({
      problem: "missing",
    });
  },
);

test("a bare name finds a picture deep in the folder with the text's name", () => {
  expect(find("plan.png", "posts/joins.md", ["posts/joins/img/plan.png"])).toEqual({
    path: "posts/joins/img/plan.png",
  });
});

test("of file names that differ only in case, the first one is used for another spelling", () => {
  expect(find("plan.png", "a.md", ["PLAN.png", "Plan.png"])).toEqual({ path: "PLAN.png" });
});

test("an uploaded picture without its file is missing, unless its URL names another site", () => {
  const address = `/storage/v1/object/public/pictures/${USER}/${NAME}`;
  expect(find(address, "articles/a.md", [])).toEqual({ problem: "missing" });
  expect(find(`https://other.example${address}`, "articles/a.md", [])).toBeNull();
});

test.each([
  "png",
  "jpg",
  "jpeg",
  "jfif",
  "webp",
  "gif",
  "avif",
  "svg",
  "heic",
  "heif",
  "tif",
  "tiff",
  "bmp",
  "PNG",
  "Jpeg",
])("a file whose name ends in .%s is a picture", (extension) => {
  expect(PICTURE_NAME.test(`My plan.${extension}`)).toBe(true);
  for (const name of [`plan.${extension}.md`, `plan${extension}`, `plan.${extension}x`, `${extension}`])
    expect(PICTURE_NAME.test(name), name).toBe(false);
});
