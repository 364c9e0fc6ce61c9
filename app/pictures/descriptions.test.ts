import { expect, test } from "vitest";
import { pictureAround, undescribedPictures } from "./descriptions.ts";

const names = (text: string, added: [address: string, name: string][] = []) =>
  undescribedPictures(text, new Map(added)).map(({ name }) => name);

test.each([
  "IMG_1234",
  "IMG 4711",
  "DSC00012",
  "PXL_20240102_030405",
  "Screenshot 2024-01-02 at 03.04.05",
  "Bildschirmfoto 2024-01-02 um 03.04",
  "image",
  "image (3)",
  "plan.png",
  "plan_v2",
  "2024-01-02",
  "5f3c9a",
  "WhatsApp Image 2024-01-02 at 03.04",
])("%j is the name of a file, not a description", (alt) => {
  expect(names(`![${alt}](/a.png)`)).toEqual([alt]);
});

test.each([
  "A plan",
  "Query plan with 3 joins",
  "Image of a desk",
  "Picture of the 2 of us",
  "Desk",
  "计划",
  "Photo by Kim",
])("%j is a description", (alt) => {
  expect(names(`![${alt}](/a.png)`)).toEqual([]);
});

test("a picture that was added needs a description until its text differs from its file's name", () => {
  const added: [string, string][] = [["/a.png", "plan"]];
  expect(names("![plan](/a.png) ![plan](/b.png)", added)).toEqual(["plan"]);
  expect(names("![The plan](/a.png)", added)).toEqual([]);
});

test("pictures without a text are counted, and those in code and unfinished uploads are not", () => {
  const text = '![](/a.png)\n```\n![](/b.png)\n```\n![](uploading:1-00) ![ ](/c.png "Title")';
  expect(names(text)).toEqual(["picture 1", "picture 3"]);
  const [first] = undescribedPictures("a ![IMG_1](/a.png)", new Map());
  expect("a ![IMG_1](/a.png)".slice(first?.start, first?.end)).toBe("IMG_1");
});

test.each([
  ["longer marks", "```\n", "`````\n"],
  ["marks and blanks", "> ~~~\n", "> ~~~  \n"],
])("a picture after code that %s end needs a description, and one in the code doesn't", (_, open, close) => {
  expect(names(`${open}![](/code.png)\n${close}![](/text.png)`)).toEqual(["picture 1"]);
});

test.each(["```js", "``", "~~~", " text ```"])("the line “%s” in code doesn't end it", (line) => {
  expect(names(`\`\`\`\n${line}\n![](/code.png)\n\`\`\`\n![](/text.png)`)).toEqual(["picture 1"]);
});

test("a picture after code keeps its place in the text", () => {
  const text = "```\n![](/a.png)\n```\n\n![](/b.png)";
  const [picture] = undescribedPictures(text, new Map());
  expect(text.slice((picture?.start ?? 0) - 2)).toBe("![](/b.png)");
});

test("a position in the brackets belongs to the picture, and one next to them doesn't", () => {
  const text = "a ![b](/c.png) d";
  expect(pictureAround(text, 4, 5)).toMatchObject({ alt: "b", end: 14 });
  expect(pictureAround(text, 5, 5)).toMatchObject({ alt: "b" });
  for (const position of [0, 3, 6, 14]) expect(pictureAround(text, position, position)).toBeUndefined();
});

test("a long text of open brackets takes little time", () => {
  expect(names("![".repeat(100_000))).toEqual([]);
});
