import { expect, test } from "vitest";
import { formatSearch, parseSearch } from "./search.ts";

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
