import { expect, test } from "vitest";
import { mayStandForStrayCapital, pairsToFind, withoutStrayCapitals } from "./letter-pairs.ts";

test.each<[string, string[]]>([
  ["z", ["z"]],
  ["Zy", ["zy"]],
  ["=> {", ["=>", "> ", " {"]],
  ["c++", ["c+", "++"]],
  ["*", ["*"]],
  ['"\\', ['"\\']],
  ["数据", ["数据"]],
  ["é", ["é"]],
  ["😀👩", ["😀👩"]],
  ["é😀".repeat(50), ["é😀", "😀é"]],
  ["1 2 3 4 5 6 7 8", ["1 ", " 2", "2 ", " 3", "3 ", " 4", "4 ", " 5"]],
])("%j is found by %j", (text, pairs) => {
  expect(pairsToFind(text)).toEqual(pairs);
});

test.each(["", "zyx", "a b cde", "数据库"])("%j is found without pairs", (text) => {
  expect(pairsToFind(text)).toEqual([]);
});

test.each(["É", "İ", "Σ", "ς", "σ"])(
  "%s is looked for without pairs: not every database has one small letter for it",
  (text) => {
    expect(pairsToFind(text)).toEqual([]);
    expect(pairsToFind(`${text}-(`)).toEqual(["-("]);
  },
);

test.each(["i", "MINI", "k8s", "\u0130", "\u212A"])(
  "%s may be written with a capital that only looks like one of ASCII",
  (text) => {
    expect(mayStandForStrayCapital(text)).toBe(true);
  },
);

test("stray capitals are looked for as the letters they are", () => {
  expect(withoutStrayCapitals("D\u0130L \u212A8s É")).toBe("DiL k8s É");
  expect(mayStandForStrayCapital("É a b c")).toBe(false);
});
