import { expect, test } from "vitest";
import { decode, folders, joinPath, lowerCase, SCHEME, spellings, stemOf } from "./paths.ts";

test.each(["https://a", "mailto:a", "A+b.1-c:d", "//a.example", "data:,"])(
  "%s has a scheme, or a host",
  (address) => {
    expect(SCHEME.test(address)).toBe(true);
  },
);

test.each(["a/b", "/a", "a//b", "1a:b", "./a:b", "a b:c", "é:a", "a"])("%s is a path", (address) => {
  expect(SCHEME.test(address)).toBe(false);
});

test.each<[address: string, paths: string[]]>([
  ["a.md", ["a.md"]],
  ["a%20b.md", ["a b.md", "a%20b.md"]],
  ["100%.md", ["100%.md"]],
  ["a.md?x=1#y", ["a.md"]],
  ["a.md#y?x\nz", ["a.md"]],
  ["a\\b\\c.md", ["a/b/c.md"]],
  ["#a", []],
  ["", []],
  ["../..", []],
  ["./", []],
  ["../a", ["../a"]],
])("the address %j may mean the paths %j", (address, paths) => {
  expect(spellings(address)).toEqual(paths);
});

test("paths are joined, split and compared", () => {
  expect(joinPath("", "a/b")).toBe("a/b");
  expect(joinPath("a/b", "../c/./d//e")).toBe("a/c/d/e");
  expect(joinPath("a", "../../b")).toBe("b");
  expect(folders("a/b/c.md")).toEqual(["a/b", "a", ""]);
  expect(folders("c.md")).toEqual([""]);
  expect(["a/b.c.md", "a.b/c", "a/.md", "a.", ".b/c.d"].map(stemOf)).toEqual([
    "a/b.c",
    "a.b/c",
    "a/",
    "a.",
    ".b/c",
  ]);
  expect(lowerCase("A\u0308B")).toBe("\u00e4b");
  expect(decode("%41%zz")).toBe("%41%zz");
});
