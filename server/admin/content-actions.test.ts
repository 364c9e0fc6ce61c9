import { expect, test } from "vitest";
import { KINDS } from "../../common/kinds/index.ts";
import { readItemReference } from "./content-actions.ts";

const ID = "3d6785ad-147e-40bd-ab59-cd3aeb847502";
const SEGMENT = "joins-cd3aeb847502";

test.each([
  [ID, ID, undefined],
  [`articles/${ID}`, ID, "/articles"],
  [`/useful-links/${ID}`, ID, "/useful-links"],
  [`https://site.test/articles/${SEGMENT}`, SEGMENT, "/articles"],
  [`HTTP://site.test:3000/sample-code/${SEGMENT}`, SEGMENT, "/sample-code"],
])("%s names an item", (text, id, path) => {
  const kinds = path === undefined ? KINDS : KINDS.filter((kind) => kind.path === path);
  expect(readItemReference(text)).toEqual({ id, kinds });
});

test.each([
  "",
  "joins",
  `profiles/${ID}`,
  `x/articles/${ID}`,
  `https://site.test/x/articles/${ID}`,
  `articles/https://site.test/${ID}`,
  `articles/${ID}/`,
  `//articles/${ID}`,
])("%j names no item", (text) => {
  expect(readItemReference(text)).toBeNull();
});
