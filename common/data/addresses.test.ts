import fc from "fast-check";
import { expect, test } from "vitest";
import { isUuid, isValidSlug, itemDigits, itemPath, listByPath, personPath } from "./addresses.ts";

test.each([
  "ada",
  "Ada_Lovelace",
  "a.b-c",
  "x",
  "...",
  "data",
  "feed.xml.bak",
  "404",
  "__proto__",
  "a".repeat(200),
])("the username %j is valid as a slug", (username) => expect(isValidSlug(username)).toBe(true));

test.each([
  "",
  ".",
  "..",
  "a/b",
  "../admin",
  "a b",
  "a%2Fb",
  "a?b",
  "a#b",
  "a\\b",
  "müller",
  "a\n",
  "\0",
  "<script>",
  "feed.xml",
  "ada.json",
  "ada.vcf",
  "ada.md",
  "ada.data",
  "ADA.DATA",
  ".xml",
  "00000000-0000-4000-8000-000000000001",
  "ABCDEF00-0000-4000-8000-000000000001",
  "a".repeat(201),
  null,
  undefined,
])("the username %j is not valid as a slug", (username) => expect(isValidSlug(username)).toBe(false));

test("isUuid accepts upper case, but neither a leading space nor missing hyphens", () => {
  expect(isUuid("ABCDEF00-0000-4000-8000-000000000001")).toBe(true);
  expect(isUuid(" 00000000-0000-4000-8000-000000000001")).toBe(false);
  expect(isUuid("00000000000040008000000000000001")).toBe(false);
});

const ARTICLES = { path: "/articles" };
const ID = "3d6785ad-147e-a0bd-ab59-cd3aeb847502";
const DIGITS = "cd3aeb847502";

const wordsOf = (title: string) =>
  decodeURIComponent(itemPath(ARTICLES, { id: ID, title }))
    .slice("/articles/".length)
    .replace(new RegExp(`-${DIGITS}$`), "");

test.each([
  ["Read EXPLAIN from the inside out", "read-explain-from-the-inside-out"],
  ["  C++ & C#: what's new?  ", "c-c-what-s-new"],
  ["Crème brûlée à la Ångström", "creme-brulee-a-la-angstrom"],
  ["İstanbul", "istanbul"],
  ["Cre\u0301me", "creme"],
  ["Việt Nam ở đâu", "viet-nam-o-đau"],
  ["Жёлтый й", "жёлтый-й"],
  ["データの流れ ガ", "データの流れ-ガ"],
  ["हिन्दी में", "हिन्दी-में"],
  ["2026: 10 tips", "2026-10-tips"],
  ["a/b?c#d%e\\f..g", "a-b-c-d-e-f-g"],
  ["emoji 🎉 party", "emoji-party"],
])("the address of %j has the words %j", (title, words) => expect(wordsOf(title)).toBe(words));

test.each(["", "   ", "🎉", "?!", "\u0301", "___"])(
  "an item with the title %j has its id as its address",
  (title) => expect(itemPath(ARTICLES, { id: ID, title })).toBe(`/articles/${ID}`),
);

test("a person's page and their list have the slug in their addresses", () => {
  expect(personPath("ada")).toBe("/profile/ada");
  expect(listByPath(ARTICLES, "ada")).toBe("/articles?author=@ada");
});

test("an address is cut at the last word that ends within 60 characters", () => {
  const sixty = `${"a".repeat(29)} ${"b".repeat(30)}`;
  expect(wordsOf(`${sixty} c`)).toBe(sixty.replace(" ", "-"));
  expect(wordsOf(`${sixty}b`)).toBe("a".repeat(29));
  expect(wordsOf("語".repeat(61))).toBe("語".repeat(60));
  expect(wordsOf("𝔞".repeat(61))).toBe("𝔞".repeat(60));
});

test("every title's address is a safe path segment that ends in the id's digits", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.uuid(), (title, id) => {
      const path = itemPath(ARTICLES, { id, title });
      expect(path).toMatch(/^\/articles\/[\w%.~!*'()-]+$/);
      expect(itemDigits(decodeURIComponent(path).slice("/articles/".length))).toBe(id.slice(-12));
    }),
  );
});

test.each([DIGITS, `x-${DIGITS}`, ID, `-${DIGITS}`, `anything at all-${DIGITS.toUpperCase()}`])(
  "the address %j shows the item with these digits",
  (segment) => expect(itemDigits(segment)).toBe(DIGITS),
);

test.each([
  "",
  "x",
  `x${DIGITS}`,
  `0${DIGITS}`,
  DIGITS.slice(1),
  `${DIGITS}-`,
  `${DIGITS}\n`,
  `${DIGITS}.md`,
])("the address %j shows no item", (segment) => expect(itemDigits(segment)).toBeNull());
