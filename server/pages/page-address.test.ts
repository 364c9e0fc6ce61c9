import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { expect, test } from "vitest";
import { isMainPage, PAGE_PARAMETERS, pageAddress } from "./page-address.ts";

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
