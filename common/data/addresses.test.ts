import { expect, test } from "vitest";
import { isUuid, isValidSlug } from "./addresses.ts";

test.each(["ada", "Ada_Lovelace", "a.b-c", "x", "...", "data", "feed.xml.bak", "404", "__proto__"])(
  "the username %j is valid as a slug",
  (username) => expect(isValidSlug(username)).toBe(true),
);

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
