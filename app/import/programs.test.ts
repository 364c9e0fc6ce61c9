import { expect, test } from "vitest";
import { readPictureHeader } from "../../common/pictures/picture-header.ts";
import { PUBLIC_PATH, picturePath } from "../../common/pictures/picture-path.ts";
import { ADA, NOTHING_STORED, read, rowsToWrite } from "../../tests/support/imports.ts";
import { makePng } from "../../tests/support/pictures.ts";
import { addPictures } from "./pictures/add-pictures.ts";

// Formats of other programs, beyond front matter and pictures in files.

const PLAN = makePng(40, 30);
const DIGEST = "d".repeat(32);
const ADDRESS =
  PUBLIC_PATH + picturePath({ userId: ADA, digest: DIGEST, width: 40, height: 30, extension: "png" });
const BASE64 = Buffer.from(PLAN.bytes).toString("base64");

/** Imports files by their paths, and returns the first one's row and notes. */
async function imported(files: Record<string, string>) {
  const content = await read(
    ...Object.entries(files).map(([path, text]) => {
      const file = new File([text], path.split("/").at(-1) ?? "");
      return Object.defineProperty(file, "webkitRelativePath", { value: path });
    }),
  );
  await addPictures(content, ADA, async (file) => {
    const header = readPictureHeader(new Uint8Array(await file.arrayBuffer()));
    if (!header) throw new Error("This isn't a picture");
    return { ...header, digest: DIGEST, blob: file };
  });
  const [{ row } = { row: {} as Record<string, unknown> }] = rowsToWrite(content, NOTHING_STORED, ADA);
  const [item] = content.items;
  return { row, item, notes: item?.notes };
}

test.each([
  [`![A plan](data:image/png;base64,${BASE64})`, `![A plan](${ADDRESS})`],
  [`![A plan][p]\n\n[p]: <data:image/png;base64,${BASE64}>`, `![A plan][p]\n\n[p]: ${ADDRESS}`],
  [`![A plan](data:image/png;charset=utf-8;base64,${BASE64})`, `![A plan](${ADDRESS})`],
])("a picture inside the text is uploaded like a file", async (source, text) => {
  const { row, item, notes } = await imported({ "doc.md": source });
  expect(row["content"]).toBe(text);
  expect(item?.uploads?.size).toBe(1);
  expect(notes).toEqual([]);
});

test("a damaged picture inside the text stays, and the article's line says so", async () => {
  const source = "![A plan](data:image/png;base64,%%%)";
  const { row, notes } = await imported({ "doc.md": source });
  expect(row["content"]).toBe(source);
  expect(notes).toEqual([expect.stringContaining("doc.md.png is left out")]);
});

test("pictures without a description are named", async () => {
  const source = [
    "![](a.png) ![ ](b/my%20desk.jpg) ![A plan](c.png) `![](d.png)`",
    '<img src="e.png">\n<img src="f.png" alt="F">',
    "![](data:image/png;base64,AAAA)",
  ];
  const { notes } = await imported({ "doc.md": source.join("\n\n") });
  expect(notes).toContain("pictures without a description: a.png, my desk.jpg, e.png, one inside the text");
});

test.each(["`![a](data:image/png;base64,AAAA)`", "[a](data:text/plain;base64,AAAA)"])(
  "%s is no picture",
  async (source) => {
    expect((await imported({ "doc.md": source })).row["content"]).toBe(source);
  },
);

test("a picture that was pasted into a notebook is named as not found", async () => {
  const { item } = await imported({ "analysis.md": "![chart.png](attachment:chart.png)" });
  expect(item?.missingPictures).toEqual([{ address: "attachment:chart.png", problem: "missing" }]);
});

test.each([
  [
    '\\[caption id="attachment\\_1" width="300"\\]![A desk](x.png) In the sun\\[/caption\\]',
    "![A desk](x.png) In the sun",
  ],
  ["[caption]![A desk](x.png) In the sun[/caption]", "![A desk](x.png) In the sun"],
  ["[embed]https://videos.example/1[/embed]", "<https://videos.example/1>"],
  ['\\[embed width="300"\\]https://videos.example/1\\[/embed\\]', "<https://videos.example/1>"],
])("WordPress' %s becomes %s", async (source, text) => {
  expect((await imported({ "wp.md": source })).row["content"]).toBe(text);
});

test("shortcodes that the site can't show are named, and stay", async () => {
  const source = '[gallery ids="1,2"] and [code]x[/code]';
  const { row, notes } = await imported({ "wp.md": source });
  expect(row["content"]).toBe(source);
  expect(notes).toEqual(['shown as text: [gallery ids="1,2"], [code], [/code]']);
});

test.each([
  "`[caption]`",
  "```\n[embed]https://a.example[/embed]\n```",
  "[caption](https://a.example)",
  "see [1] and [captions]",
])("%s is no mark of WordPress", async (source) => {
  const { row, notes } = await imported({ "wp.md": source });
  expect(row["content"]).toBe(source);
  expect(notes).toEqual([]);
});

const ID = "0a1b2c3d4e5f60718293a4b5c6d7e8f9";

test("Notion's properties below the heading are fields, and links to sub-pages lead to them", async () => {
  const { row, item } = await imported({
    [`Team book ${ID}.md`]: `# Team book\n\nCreated: March 5, 2021 3:05 PM\nStatus: Draft\nÜber uns: x\n\nText [First](Team%20book%20${ID}/First%20${ID}.md).`,
    [`Team book ${ID}/First ${ID}.md`]: "Read it.",
  });
  expect(row).toMatchObject({ title: "Team book", published: false });
  expect(row["content"]).toMatch(/^Text \[First\]\(\/articles\/first-[0-9a-f]{12}\)\.$/);
  expect(item?.createdAt).toMatch(/^2021-03-05T/);
  expect(item?.unpublishedReason).toBe("Status: Draft");
});

test("lines with colons in other programs' files, or after other text, are text", async () => {
  const source = "# Notes\n\nNote: read this\nAnd: this\n";
  expect((await imported({ "Notes.md": source })).row["content"]).toBe("Note: read this\nAnd: this\n");
  const later = `# Notes\n\nSome words\nNote: read this\n`;
  const { row } = await imported({ [`Notes ${ID}.md`]: later });
  expect(row["content"]).toBe("Some words\nNote: read this\n");
});
