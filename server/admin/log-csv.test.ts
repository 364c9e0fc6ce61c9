import { expect, test } from "vitest";
import { csvLine } from "./log-csv.ts";

test.each([
  ["plain", "plain"],
  ['say "hi"', '"say ""hi"""'],
  ["a,b", '"a,b"'],
  ["two\nlines", '"two\nlines"'],
  ["two\r\nlines", '"two\r\nlines"'],
  [null, ""],
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'\t=1"],
  ["\r=1", '"\'\r=1"'],
  ["＝1", "'＝1"],
  ['=HYPERLINK("https://evil.example","Click")', '"\'=HYPERLINK(""https://evil.example"",""Click"")"'],
  ["ada@example.com", "ada@example.com"],
])("a cell with the text %j is written as %j", (text, cell) => {
  expect(csvLine([text, "next"])).toBe(`${cell},next\r\n`);
});
