import { expect, test } from "vitest";
import { searchAt } from "../../app/content/search/search.ts";
import { isSlowSearch } from "./slow-search.ts";

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
