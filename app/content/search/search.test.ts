import { expect, test } from "vitest";
import { isSlowSearch } from "../../../common/data/content-reads.ts";
import { formatSearch, parseSearch, searchAt } from "./search.ts";

const parse = (query: string) => parseSearch(new URLSearchParams(query));

test("parsing and then formatting a search returns the same URL query", () => {
  for (const query of ["", "?q=a+%26+%25", "?author=ada", "?sort=asc", "?q=x&author=y&sort=asc"])
    expect(formatSearch(parse(query))).toBe(query);
});

test("spaces around the search text and the author are removed", () => {
  expect(parse("?q=%20+window+&author=%20")).toEqual({ text: "window", author: "", sort: "desc" });
});

test("a search text is cut to 300 characters, but never within a surrogate pair", () => {
  expect(parse(`?q=${"x".repeat(20_000)}`).text).toBe("x".repeat(300));
  expect(parse(`?q=${encodeURIComponent(`${"x".repeat(299)}😀`)}`).text.isWellFormed()).toBe(true);
});

test("parsing a search drops NUL and replaces an unknown order with the default", () => {
  expect(parse("?q=a%00b&sort=sideways")).toEqual({ text: "ab", author: "", sort: "desc" });
});

test.each([
  ["/articles?q=zq", true],
  ["/articles.data?q=q", true],
  ["/useful-links?q=+->+", true],
  ["/sample-code?q=%2B%2B%2B+a-b-c", true],
  ["/sample-code?q=数据", true],
  ["/articles?q=zq&q=sql", true],
  ["/articles?q=sql&q=zq", false],
  ["/articles?q=数据库", false],
  ["/articles?q=a+or+b,+maybe", false],
  ["/articles?q=++", false],
  ["/articles", false],
  ["/articles/zq?q=zq", false],
  ["/search?q=zq", false],
  ["/people?q=zq", false],
])("whether the page %s begins with a slow search: %j", (address, expected) => {
  expect(isSlowSearch(searchAt(new URL(address, "https://site.test")))).toBe(expected);
});

test("a search by author alone or for spaces alone isn't slow", () => {
  const call = {
    function: "search_items",
    arguments: { content_table: "articles", search_author: "zq" },
  } as const;
  expect(isSlowSearch(call)).toBe(false);
  const spaces = { ...call, arguments: { ...call.arguments, search_text: "  " } };
  expect(isSlowSearch(spaces)).toBe(false);
});
