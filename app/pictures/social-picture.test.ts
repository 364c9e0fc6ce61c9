import { expect, test } from "vitest";
import { renderMarkdown } from "../ui/markdown/markdown.ts";
import { socialPicture } from "./social-picture.ts";

const FOLDER = `/storage/v1/object/public/pictures/${crypto.randomUUID()}/${"0a".repeat(16)}`;
const pictureOf = (markdown: string) => socialPicture(renderMarkdown(markdown, true));

test("the first uploaded picture of a text is its social picture", () => {
  expect(pictureOf(`Text\n\n![Plan](${FOLDER}-1200x800.webp)\n\n![Other](${FOLDER}-900x900.webp)`)).toEqual({
    path: `${FOLDER}-1200x800.webp`,
    width: 1_200,
    height: 800,
  });
});

test.each([
  ["no picture", "Text"],
  ["a small one", `![Icon](${FOLDER}-64x64.webp)`],
  ["one of another site", "![Plan](https://example.com/plan.png)"],
  ["one of another site with a similar address", `![Plan](https://example.com${FOLDER}-1200x800.webp)`],
])("a text with %s first has none", (_, markdown) => {
  expect(pictureOf(markdown)).toBeUndefined();
});
