import { expect, test } from "vitest";
import type { Profile } from "../../../common/data/schema.ts";
import { PictureError } from "../../../common/pictures/picture-error.ts";
import { PUBLIC_PATH } from "../../../common/pictures/picture-path.ts";
import { ADA, NOTHING_STORED, read, rowsToWrite, siteWith } from "../../../tests/support/imports.ts";
import { makePng, pathOf } from "../../../tests/support/pictures.ts";
import { zipTexts } from "../../portability/export/archive.ts";
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
