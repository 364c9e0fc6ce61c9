import { expect, test } from "vitest";
import type { Profile } from "../../../common/data/schema.ts";
import { PictureError } from "../../../common/pictures/picture-error.ts";
import { PUBLIC_PATH } from "../../../common/pictures/picture-path.ts";
import { ADA, NOTHING_STORED, read, rowsToWrite, siteWith } from "../../../tests/support/imports.ts";
import { makePng, pathOf } from "../../../tests/support/pictures.ts";
import { zipTexts } from "../../portability/export/archive.ts";
import type { SourceFile } from "../files/source-file.ts";
import type { FileContent } from "../items.ts";
import { ReadError } from "../left-out.ts";
import { planRows } from "../plan.ts";
import type { ImportSite } from "../site.ts";
import { addPictures } from "./add-pictures.ts";

const OTHER = "33333333-3333-4333-8333-333333333333";

/**
 * Replaces the browser's compression, which Node lacks. The digest repeats the first letter of the file's name, so
 * that tests know the path of each uploaded picture.
 */
const fitPicture: ImportSite["pictures"]["fit"] = async (file) => {
  if (file.name.endsWith(".svg")) throw new PictureError("SVG pictures cannot be added.");
  return { digest: file.name.slice(0, 1).repeat(32), width: 8, height: 6, extension: "webp", blob: file };
};

async function archive(texts: Record<string, string>, pictures: Record<string, Buffer<ArrayBuffer>>) {
  const files = Object.entries(texts).map(([path, text]) => ({ path, text }));
  const added = Object.entries(pictures).map(([path, bytes]) => ({
    path,
    read: async () => new Blob([bytes]),
  }));
  return new File([await zipTexts(files, added)], "site.zip");
}

test("usable pictures in a Hugo bundle get URLs on this site and are stored before their article; the rest are reported", async () => {
  const bytes = makePng(3, 2).bytes;
  const content = await read(
    await archive(
      {
        "posts/joins/index.md":
          "---\ntitle: Joins\ndate: 2020-01-01\n---\n![Plan](a.png) ![Plan again](a.png) ![c](c.svg)",
      },
      { "posts/joins/a.png": bytes, "posts/joins/c.svg": bytes, "posts/unused.png": bytes },
    ),
  );
  expect(content.leftOut).toEqual([
    { source: "posts/unused.png", reason: "is a picture that no article shows" },
  ]);
  await addPictures(content, ADA, fitPicture);
  const path = `${ADA}/${"a".repeat(32)}-8x6.webp`;
  const [line] = planRows(content, NOTHING_STORED, ADA).lines;
  expect(line?.details).toEqual([
    "Article",
    "posts/joins/index.md",
    "with a picture",
    "the picture posts/joins/c.svg is left out: SVG pictures cannot be added.",
  ]);
  expect(line?.writes).toMatchObject([
    { picturePath: path },
    { row: { content: `![Plan](${PUBLIC_PATH}${path}) ![Plan again](${PUBLIC_PATH}${path}) ![c](c.svg)` } },
  ]);
});

test("pictures in a Techfolio download are imported unchanged, into the importing member's folder", async () => {
  const picture = makePng(30, 20);
  const old = pathOf(OTHER, picture);
  const name = old.slice(OTHER.length + 1);
  const address = `https://other.example${PUBLIC_PATH}${old}`;
  const content = await read(
    await archive(
      {
        "articles/a.md": `---\ntitle: A\ndate: 2020-01-01\n---\n![Plan](${address})`,
        "profile.json": JSON.stringify({ avatar_url: PUBLIC_PATH + old }),
      },
      { [`pictures/${name}`]: picture.bytes },
    ),
  );
  await addPictures(content, ADA, () =>
    Promise.reject(new Error("The picture must not be compressed again")),
  );
  const own = pathOf(ADA, picture);
  expect(rowsToWrite(content, NOTHING_STORED, ADA)).toMatchObject([
    { row: { content: `![Plan](${PUBLIC_PATH}${own})` } },
  ]);
  expect(content.profile?.avatar_url).toBe(PUBLIC_PATH + own);
  const profile = planRows(content, NOTHING_STORED, ADA).lines.find(({ key }) => key === "profile");
  expect(profile?.writes).toMatchObject([{ picturePath: own }, { table: "profiles" }]);
});

test("an import offers the pictures of identical items and the portrait that the site lacks, and only these", async () => {
  const [shown, portrait] = [makePng(30, 20), makePng(20, 20)];
  const [picture, avatar] = [pathOf(ADA, shown), pathOf(ADA, portrait)];
  const files = await archive(
    {
      "articles/a.md": `---\ntitle: A\ndate: 2020-01-01\n---\n![Plan](${PUBLIC_PATH}${picture})`,
      "profile.json": JSON.stringify({ avatar_url: PUBLIC_PATH + avatar }),
    },
    {
      [`pictures/${picture.slice(ADA.length + 1)}`]: shown.bytes,
      [`pictures/${avatar.slice(ADA.length + 1)}`]: portrait.bytes,
    },
  );
  const content = await read(files);
  await addPictures(content, ADA, fitPicture);
  const moved = {
    ...siteWith(rowsToWrite(content, NOTHING_STORED, ADA)),
    profile: content.profile as unknown as Profile,
  };
  const { lines } = planRows(content, moved, ADA);
  expect(lines.map(({ title, details }) => [title, ...details])).toEqual([
    ["A", "articles/a.md", "adds a picture that the site lacks"],
    ["Pictures (1)", "your portrait"],
  ]);
  expect(lines.map(({ writes }) => writes)).toMatchObject([
    [{ picturePath: picture }],
    [{ picturePath: avatar }],
  ]);
  const complete = { ...moved, pictures: new Set([picture, avatar]) };
  expect(planRows(content, complete, ADA).lines).toEqual([]);
});

test("pictures of a download that no article shows are offered on a separate line, and the profile's line has the portrait, too", async () => {
  const [portrait, old] = [makePng(20, 20), makePng(30, 20)];
  const [avatar, earlier] = [pathOf(ADA, portrait), pathOf(ADA, old)];
  const files = await archive(
    { "ada/profile.json": JSON.stringify({ avatar_url: PUBLIC_PATH + pathOf(OTHER, portrait) }) },
    {
      [`ada/pictures/${avatar.slice(ADA.length + 1)}`]: portrait.bytes,
      [`ada/pictures/${earlier.slice(ADA.length + 1)}`]: old.bytes,
    },
  );
  const content = await read(files);
  await addPictures(content, ADA, fitPicture);
  const { lines, leftOut } = planRows(content, NOTHING_STORED, ADA);
  expect(leftOut).toEqual([]);
  expect(lines).toMatchObject([
    {
      title: "Pictures (2)",
      details: ["your portrait", "pictures that no article shows"],
      isInitiallyTicked: true,
      writes: [{ picturePath: avatar }, { picturePath: earlier }],
    },
    {
      title: "Profile",
      isInitiallyTicked: false,
      writes: [{ picturePath: avatar }, { row: { avatar_url: PUBLIC_PATH + avatar } }],
    },
  ]);
});

test("an article's line names its missing pictures, and pictures of other articles don't replace them", async () => {
  const bytes = makePng(3, 2).bytes;
  const post = (text: string) => `---\ntitle: A\ndate: 2020-01-01\n---\n${text}`;
  const content = await read(
    await archive(
      {
        "a/index.md": post("![x](plan.png) [y](y.jpg) ![z](https://x.test/z.png)"),
        "b/index.md": post("![](plan.png)"),
      },
      { "b/plan.png": bytes },
    ),
  );
  await addPictures(content, ADA, fitPicture);
  const [a, b] = planRows(content, NOTHING_STORED, ADA).lines;
  expect(a?.details).toContain("not found: plan.png, y.jpg");
  expect(a?.writes).toMatchObject([
    { row: { content: "![x](plan.png) [y](y.jpg) ![z](https://x.test/z.png)" } },
  ]);
  expect(b?.details).toContain("with a picture");
});

function fileOf(path: string, bytes: Buffer<ArrayBuffer>, size = bytes.length): SourceFile {
  const { buffer, byteOffset, byteLength } = bytes;
  return {
    path,
    size,
    lastModified: 0,
    read: async () => buffer.slice(byteOffset, byteOffset + byteLength),
  };
}

async function contentWith(otherPictures: SourceFile[]): Promise<FileContent> {
  const content = await read(await archive({ "a.md": "---\ntitle: A\ndate: 2020-01-01\n---\nText" }, {}));
  return { ...content, otherPictures };
}

test("the site prepares each file once, with its own name and bytes, although two articles show it", async () => {
  const { bytes } = makePng(3, 2);
  const post = (title: string) => `---\ntitle: ${title}\ndate: 2020-01-01\n---\n![Plan](images/plan.png)`;
  const content = await read(
    await archive({ "a.md": post("A"), "b.md": post("B") }, { "images/plan.png": bytes }),
  );
  const prepared: [string, Buffer][] = [];
  await addPictures(content, ADA, async (file) => {
    prepared.push([file.name, Buffer.from(await file.arrayBuffer())]);
    return fitPicture(file);
  });
  expect(prepared).toEqual([["plan.png", bytes]]);
  const path = `${ADA}/${"p".repeat(32)}-8x6.webp`;
  expect(content.items.map(({ uploads }) => [...(uploads?.keys() ?? [])])).toEqual([[path], [path]]);
});

test("an import without a portrait and other pictures leaves nothing out and uploads nothing", async () => {
  const content = await contentWith([]);
  await addPictures(content, ADA, fitPicture);
  expect(content.leftOut).toEqual([]);
  expect(content.otherUploads).toEqual(new Map());
});

test("a picture of a download keeps its bytes and gets the type of its format", async () => {
  const picture = makePng(30, 20);
  const name = pathOf(ADA, picture).slice(ADA.length + 1);
  const content = await contentWith([fileOf(`pictures/${name}`, picture.bytes)]);
  await addPictures(content, ADA, () => Promise.reject(new Error("It must not be compressed again")));
  const blob = content.otherUploads?.get(pathOf(ADA, picture));
  expect(blob?.type).toBe("image/png");
  expect(Buffer.from((await blob?.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(picture.bytes);
});

test("a file with a download's name but other bytes or dimensions is prepared like any other file", async () => {
  const [picture, other] = [makePng(30, 20), makePng(20, 30)];
  const name = pathOf(ADA, picture).slice(ADA.length + 1);
  const content = await contentWith([
    fileOf(`pictures/${name}`, other.bytes),
    fileOf(`pictures/${name.replace("-30x20", "-31x20")}`, picture.bytes),
    fileOf(`pictures/${name.replace(".png", ".webp")}`, picture.bytes),
  ]);
  const prepared: string[] = [];
  await addPictures(content, ADA, async (file) => {
    prepared.push(file.name);
    return fitPicture(file);
  });
  expect(prepared).toHaveLength(3);
});

test.each([
  [60 * 1024 * 1024, undefined],
  [60 * 1024 * 1024 + 1, "is left out: it is too large"],
])("of pictures of %d bytes, those of more than 60 MB are left out", async (size, reason) => {
  const content = await contentWith([fileOf("pictures/a.png", makePng(3, 2).bytes, size)]);
  await addPictures(content, ADA, fitPicture);
  expect(content.leftOut).toEqual(reason ? [{ source: "pictures/a.png", reason }] : []);
});

test.each([
  [new ReadError("it is damaged"), "it is damaged"],
  [new PictureError("SVG pictures cannot be added."), "SVG pictures cannot be added."],
  [new RangeError("Invalid array length"), "it cannot be read"],
])("if a picture fails with %s, the import says: %s", async (error, text) => {
  const content = await contentWith([fileOf("pictures/a.png", makePng(3, 2).bytes)]);
  await addPictures(content, ADA, () => Promise.reject(error));
  expect(content.leftOut).toEqual([{ source: "pictures/a.png", reason: `is left out: ${text}` }]);
  expect(content.otherUploads?.size).toBe(0);
});
