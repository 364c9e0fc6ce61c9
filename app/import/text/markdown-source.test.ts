import { expect, test } from "vitest";
import { findPictureReferences } from "./picture-references.ts";

test.each<[text: string, tags: string[]]>([
  ["{{< youtube\nid=x\nclass=y >}}", ["{{< youtube id=x class=y >}}"]],
  ["{{< a\n\nb >}}", []],
  ["{{< a\r\n\r\nb >}}", []],
  ["> {{< a\n> \n> b >}}", []],
])("a blank line ends a template tag, but another line doesn't: %j", (text, tags) => {
  expect(findPictureReferences(text).remainingTags(() => undefined)).toEqual(tags);
});

test("a picture in a comment without an end is unchanged", () => {
  const text = "<div>\n<!-- <img src=plan.png>\n</div>";
  expect(findPictureReferences(text).replace(() => "/new")).toBe(text);
});
