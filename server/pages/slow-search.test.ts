import { expect, test } from "vitest";
import { isSlowSearch } from "./slow-search.ts";

test.each([
  ["/articles", "zq", true],
  ["/articles.data", "q", true],
  ["/useful-links", " -> ", true],
  ["/sample-code", "+++ a-b-c", true],
  ["/sample-code", "数据", true],
  ["/articles", "数据库", false],
  ["/articles", "sql", false],
  ["/articles", "a or b, maybe", false],
  ["/articles", "  ", false],
  ["/articles", undefined, false],
  ["/articles/zq", "zq", false],
  ["/search", "zq", false],
  ["/people", "zq", false],
])("whether %s with the search text %j is a slow search: %j", (path, text, expected) => {
  expect(isSlowSearch(path, text)).toBe(expected);
});
