import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalPath, isMainPage, PAGE_PARAMETERS, pageAddress } from "./page-address.ts";

test.each([
  ["/%61rticles", "/articles"],
  ["/%70eople.data", "/people.data"],
  ["/articles/", "/articles"],
  ["/articles/_.data", "/articles.data"],
  ["/_.data", "/_.data"],
  ["/", "/"],
  ["//evil.example/", "/evil.example"],
  ["/%2Farticles", "/%2Farticles"],
  ["/profile/caf%C3%A9%20%41", "/profile/caf%C3%A9%20A"],
])("the canonical path of %s is %s", (path, expected) => {
  expect(canonicalPath(path)).toBe(expected);
});

test("a canonical path stays the same and never names another host", () => {
  const part = fc.constantFrom("/", "//", "%61", "%2F", "%5C", "a", "_.data", ".", "%2E");
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const canonical = canonicalPath(`/${parts.join("")}`);
      expect(canonicalPath(canonical)).toBe(canonical);
      expect(new URL(canonical, "https://site.test").host).toBe("site.test");
    }),
  );
});

const addressOf = (path: string) => pageAddress(new URL(path, "http://a.test"));

test.each([
  ["/", "/"],
  ["/?utm_source=mail", "/"],
  ["/?q=x", "/"],
  ["/articles?x=1&q=a%20b&y", "/articles?q=a%20b"],
  ["/articles?%71=a&sort=asc", "/articles?%71=a&sort=asc"],
  ["/people?author=x&category=SQL", "/people?category=SQL"],
  ["/constructor?q=a", "/constructor"],
  ["/articles.data?x=1", "/articles.data?x=1"],
])("the page at %s is the one at %s", (path, address) => {
  expect(addressOf(path)).toBe(address);
});

test("a list is a main page only without a search", () => {
  expect(["/", "/articles", "/people", "/search"].every(isMainPage)).toBe(true);
  expect(isMainPage(addressOf("/articles?q=a"))).toBe(false);
});

test("the pages that read the query on the server read only parameters that are in the list", async () => {
  const known = new Set(Object.values(PAGE_PARAMETERS).flat());
  const read = new Set<string>();
  for await (const file of glob(["app/{content,people,search}/**/*search.ts", "app/**/*.server.ts"])) {
    const text = readFileSync(file, "utf8");
    const names = text.matchAll(/(?:(?:query|parameters)\.get\(|textParameter\(\w+, )"(\w+)"/g);
    for (const [, name = ""] of names) read.add(name);
  }
  expect(read.size).toBeGreaterThan(5);
  expect([...read].filter((name) => !known.has(name))).toEqual([]);
});
