import { expect, test } from "vitest";
import {
  alternativeText,
  findPlaceholders,
  type Insertion,
  insertPlaceholders,
  withoutPlaceholders,
} from "./placeholder.ts";

const PICTURE = { id: "1a-b", name: "plan" };
const OTHER = { id: "2c-d", name: "chart" };

const applied = (value: string, { text, start, end }: Insertion) =>
  value.slice(0, start) + text + value.slice(end);

/** Inserts placeholders where the text has a `|`, or instead of the text between two of them. */
function insert(marked: string, ...pictures: { id: string; name: string }[]) {
  const value = marked.replaceAll("|", "");
  const start = marked.indexOf("|");
  const selection = { start, end: Math.max(start, marked.lastIndexOf("|") - 1) };
  const insertion = insertPlaceholders(value, selection, pictures);
  const text = applied(value, insertion);
  return { text, marked: `${text.slice(0, insertion.cursor)}|${text.slice(insertion.cursor)}` };
}

/** Replaces the placeholders' URLs, as finished uploads do. */
function finish(text: string): string {
  let finished = text;
  for (const { addressStart, addressEnd } of findPlaceholders(text).toReversed())
    finished = `${finished.slice(0, addressStart)}/p.webp${finished.slice(addressEnd)}`;
  return finished;
}

test.each([
  ["Query plan.final.png", "Query plan.final"],
  ["a[1]\\b.jpeg", "a 1 b"],
  ["it`s `all`.png", "it's 'all'"],
  ["  .png", "Picture"],
  ["image", "image"],
])("the alternative text for the file %j is %j", (file, text) => {
  expect(alternativeText(file)).toBe(text);
});

test.each([
  ["|", "![plan](/p.webp)\n|"],
  ["Text|", "Text![plan](/p.webp)\n|"],
  ["One |two", "One ![plan](/p.webp)\n|two"],
  ["One |two| three", "One ![plan](/p.webp)\n| three"],
  ["Before\n\n|\n\nAfter", "Before\n\n![plan](/p.webp)\n|\nAfter"],
])("a picture inserted into %j is followed by the cursor on a new line", (before, after) => {
  expect(finish(insert(before, PICTURE).marked)).toBe(after);
});

test.each([
  "![o|ne](/one.webp)",
  "![|one|](/one.webp)",
  "![one](/o|ne.webp)",
  "![one](/one.webp)|",
  "![one](/one.webp)\n|",
])("a picture inserted into %j is a paragraph of its own after the other picture", (before) => {
  expect(finish(insert(before, PICTURE).text)).toMatch(
    /^!\[one\]\(\/one\.webp\)\n\n!\[plan\]\(\/p\.webp\)\n$/,
  );
});

test.each([
  ["|![one](/one.webp)", "![plan](/p.webp)\n![one](/one.webp)"],
  ["a |and| ![one](/one.webp)", "a ![plan](/p.webp)\n ![one](/one.webp)"],
  ["![one](/one.webp) |", "![one](/one.webp) ![plan](/p.webp)\n"],
  ["![one](/one.webp)\nText|", "![one](/one.webp)\nText![plan](/p.webp)\n"],
  ["Te|xt ![o|ne](/one.webp) end", "Text ![one](/one.webp)\n\n![plan](/p.webp)\n end"],
  ["![o|ne](/one.webp) Te|xt", "![one](/one.webp)\n\n![plan](/p.webp)\n Text"],
])("a picture inserted into %j gives %j", (before, after) => {
  expect(finish(insert(before, PICTURE).text)).toBe(after);
});

test("several pictures are inserted as separate paragraphs", () => {
  expect(finish(insert("|", PICTURE, OTHER).marked)).toBe("![plan](/p.webp)\n\n![chart](/p.webp)\n|");
});

test.each([
  "|",
  "Text|",
  "One |two",
  "Before\n\n|\n\nAfter",
  "![one](/one.webp)|",
  "![one](/one.webp)\n|\nEnd",
])("removing the placeholders that were inserted into %j leaves the text as it was", (before) => {
  const value = before.replace("|", "");
  expect(withoutPlaceholders(insert(before, PICTURE).text)).toBe(value);
  expect(withoutPlaceholders(insert(before, PICTURE, OTHER).text)).toBe(value);
});

test("a placeholder is found and removed although the member has changed the text around it", () => {
  const { text } = insert("Before |", PICTURE, OTHER);
  const changed = text.replace("![plan]", "new ![new \\] name]").replace("\n\n", " and ");
  expect(findPlaceholders(changed).map(({ id }) => id)).toEqual(["1a-b", "2c-d"]);
  expect(withoutPlaceholders(changed)).toBe("Before new  and ");
});

test("finished pictures and other text stay", () => {
  const text = "![a](https://example.com/a.png) uploading:4 (x) [b](uploading:5-00)";
  expect(withoutPlaceholders(text)).toBe(text);
});
