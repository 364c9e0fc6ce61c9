import { expect, test } from "vitest";
import { initials } from "./initials.ts";

test.each([
  ["Ada Marlowe King", "AM"],
  ["grace_hopper", "GH"],
  ["e\u0301mile zola", "E\u0301Z"],
  ["\u{1F1E9}\u{1F1EA} Ada", "\u{1F1E9}\u{1F1EA}A"],
  ["\u{1F469}\u200D\u{1F4BB} Ada", "\u{1F469}\u200D\u{1F4BB}A"],
  ["\u200B\u200B Ada", "A"],
  ["\u200BAda", "A"],
  ["\u200B\u2060", ""],
  ["李小龍", "李"],
  [" ada  lovelace ", "AL"],
  ["ada.b-king", "AB"],
  ["- ada _", "A"],
])("the initials of %j are %j", (name, expected) => {
  expect(initials(name)).toBe(expected);
});
