import { expect, test } from "vitest";
import { read } from "../../../tests/support/imports.ts";
import { makePng } from "../../../tests/support/pictures.ts";
import { zipTexts } from "../../portability/export/archive.ts";
import { linkPictures } from "./link-pictures.ts";

const { bytes } = makePng(3, 2);
const DIGEST = "0a".repeat(16);

/** Reads an archive with one article and these picture files. */
async function readArticle(text: string, pictures: string[] = []) {
  const added = pictures.map((path) => ({ path, read: async () => new Blob([bytes]) }));
  const article = { path: "posts/a.md", text: `---\ntitle: A\ndate: 2020-01-01\n---\n${text}` };
  const content = await read(new File([await zipTexts([article], added)], "site.zip"));
  const [item] = content.items;
  if (!item) throw new Error("The article was not read");
  return { content, item };
}

test.each([
  ["data:image/png;base64,", "posts/a.md.png"],
  ["DATA:IMAGE/JPEG;BASE64,", "posts/a.md.jpeg"],
  ["data:image/webp;name=plan;base64,", "posts/a.md.webp"],
])("a picture in the text after %s is read like a file", async (start, path) => {
  const address = start + bytes.toString("base64");
  const { item } = await readArticle(`![Plan](${address})`);
  const file = item.pictures?.get(address);
  expect(file).toMatchObject({ path });
  expect(Math.abs((file?.size ?? 0) - bytes.length)).toBeLessThan(3);
  expect(Buffer.from((await file?.read()) ?? new ArrayBuffer(0))).toEqual(bytes);
});

test("spaces in the characters of a picture inside the text are ignored", async () => {
  const encoded = bytes.toString("base64").replace(/(.{20})/g, "$1%20");
  const { item } = await readArticle(`![Plan](data:image/png;base64,${encoded})`);
  const [file] = item.pictures?.values() ?? [];
  expect(Buffer.from((await file?.read()) ?? new ArrayBuffer(0))).toEqual(bytes);
});

test("a damaged picture inside the text is reported", async () => {
  const { item } = await readArticle("![Plan](data:image/png;base64,a)");
  const [file] = item.pictures?.values() ?? [];
  await expect(file?.read()).rejects.toThrow("it is damaged");
});

test.each([
  "data:text/plain;base64,AAAA",
  "data:image/png,AAAA",
  "xdata:image/png;base64,AAAA",
  "data:image/1;base64,AA",
])("%s is not a picture inside the text", async (address) => {
  const { item } = await readArticle(`![Plan](${address})`);
  expect([...(item.pictures?.keys() ?? [])]).toEqual([]);
});

test.each(["attachment:plan.png", "Attachment:plan.png"])("%s finds the notebook's file", async (address) => {
  const { item } = await readArticle(`![Plan](${address})`, ["posts/plan.png"]);
  expect(item.pictures?.get(address)?.path).toBe("posts/plan.png");
});

test("only at its beginning, attachment: is not a part of the file's name", async () => {
  const { item } = await readArticle("![Plan](an-attachment:plan.png)", ["posts/an-plan.png"]);
  expect(item.pictures?.size).toBe(0);
});

test.each([
  [`pictures/${DIGEST}-800x600.webp`, true],
  [`ada/pictures/${DIGEST}-1x12345.png`, true],
  [`my-pictures/${DIGEST}-800x600.webp`, false],
  [`pictures/${DIGEST}-800x600.webp/x.png`, false],
  [`pictures/${DIGEST}-800x.webp`, false],
  [`pictures/${DIGEST}-x600.webp`, false],
  [`pictures/0a-800x600.webp`, false],
  [`pictures/${"0g".repeat(16)}-800x600.webp`, false],
])("%s counts as a picture of a download: %s", async (path, isDownloaded) => {
  const { content } = await readArticle("Text", [path]);
  expect(content.otherPictures.map((file) => file.path)).toEqual(isDownloaded ? [path] : []);
  expect(content.leftOut).toEqual(
    isDownloaded ? [] : [{ source: path, reason: "is a picture that no article shows" }],
  );
});

test.each([
  ["![](plan.png)", "plan.png"],
  ["![](img/my%20plan.png?raw=1#x)", "my plan.png"],
  ["![](img%5Cplan.png)", "img\\plan.png"],
  ["![](data:image/png;base64,AAAA)", "one inside the text"],
  ["![](a.png) ![](b.png) ![](img/a.png)", "a.png, b.png"],
])("a note names the pictures without a description in %s", async (text, names) => {
  const { item } = await readArticle(text);
  expect(item.notes).toContain(`pictures without a description: ${names}`);
});

test.each([
  ["![Plan](plan.png)", ["plan.png"]],
  ["[Plan](plan.png?raw=1#x)", ["plan.png?raw=1#x"]],
  ["[Plan](plan.pdf)", []],
  ["[Plan](other.md)", []],
  ["![Plan](https://example.com/plan.png)", []],
])("%s names the missing pictures %j", async (text, addresses) => {
  const { item } = await readArticle(text);
  expect(item.missingPictures).toEqual(addresses.map((address) => ({ address, problem: "missing" })));
});

test("a picture name that several files have is reported as ambiguous", async () => {
  const { item } = await readArticle("![Plan](plan.png)", ["x/plan.png", "y/plan.png"]);
  expect(item.missingPictures).toEqual([{ address: "plan.png", problem: "ambiguous" }]);
});

test("a picture with two addresses in the text is found under both", async () => {
  const { item, content } = await readArticle('![Plan](plan.png) <img src="./plan.png" alt="Plan">', [
    "posts/plan.png",
  ]);
  expect([...(item.pictures?.keys() ?? [])].sort()).toEqual(["./plan.png", "plan.png"]);
  expect(item.missingPictures).toEqual([]);
  expect(content.leftOut).toEqual([]);
});

test.each([
  ["2020-01-02T03:04:05.000Z", Date.parse("2020-01-02T03:04:05.000Z")],
  [null, 0],
])(
  "a picture inside the text of a file that was changed at %s has the time %d",
  async (modifiedAt, expected) => {
    const address = `data:image/png;base64,${bytes.toString("base64")}`;
    const { content, item } = await readArticle(`![Plan](${address})`);
    const again = { ...item, modifiedAt };
    linkPictures(content, { items: [again], pictures: new Map(), texts: [], profileSource: undefined });
    expect(again.pictures?.get(address)?.lastModified).toBe(expected);
  },
);

test("template tags that stay text are named once each, and an article without one has no such note", async () => {
  const figure = '{{< figure src="gone.png" >}}';
  const { item } = await readArticle(`${figure} and ${figure}`);
  expect(item.notes.filter((note) => note.startsWith("shown as text: "))).toEqual([
    expect.stringMatching(/^shown as text: [^,]*figure[^,]*$/),
  ]);
  expect((await readArticle("Text")).item.notes).toEqual([]);
});
