import { expect, test } from "vitest";
import { renderMarkdown } from "../../common/markdown/markdown.ts";
import { socialPicture } from "./social-picture.ts";

const FOLDER = `/storage/v1/object/public/pictures/${crypto.randomUUID()}/${"0a".repeat(16)}`;
const pictureOf = (markdown: string) => socialPicture(renderMarkdown(markdown, true));

test("an article's social picture is its first picture if that picture is large enough and on this site", () => {
  expect(pictureOf(`Text\n\n![Plan](${FOLDER}-1200x800.webp)\n\n![Other](${FOLDER}-900x900.webp)`)).toEqual({
    path: `${FOLDER}-1200x800.webp`,
    width: 1_200,
    height: 800,
  });
  expect(pictureOf(`![Plan](${FOLDER}-600x315.webp)`)).toMatchObject({ width: 600, height: 315 });
});

test.each([
  ["without pictures", "Text"],
  ["whose first picture is a pixel too narrow", `![Icon](${FOLDER}-599x800.webp)`],
  ["whose first picture is a pixel too low", `![Icon](${FOLDER}-900x314.webp)`],
  ["whose first picture has no such path", `![Icon](${FOLDER}.webp)`],
  ["whose first picture is small", `![Icon](${FOLDER}-64x64.webp)`],
  ["whose first picture is from another site", "![Plan](https://example.com/plan.png)"],
  [
    "whose first picture has the same path on another site",
    `![Plan](https://example.com${FOLDER}-1200x800.webp)`,
  ],
])("an article %s has no social picture", (_, markdown) => {
  expect(pictureOf(markdown)).toBeUndefined();
});
