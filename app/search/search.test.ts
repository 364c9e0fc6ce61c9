import { expect, test } from "vitest";
import { KINDS, kindSlug } from "../../common/kinds/index.ts";
import { formatEverythingSearch, parseEverythingSearch, SEARCHED_KINDS } from "./search.ts";

const parse = (query: string) => parseEverythingSearch(new URLSearchParams(query));

test("parsing and then formatting a search over everything returns the same URL query", () => {
  for (const query of [
    "",
    "?q=c%2B%2B+-%22a+b%22",
    "?kind=articles",
    "?q=x&kind=useful-links",
    "?q=x&kind=people",
  ])
    expect(formatEverythingSearch(parse(query))).toBe(query);
});

test("the selector offers everything, then the kinds of content in navigation order, then people", () => {
  expect(Object.entries(SEARCHED_KINDS).map(([value, { name }]) => [value, name])).toEqual([
    ["all", "Everything"],
    ...KINDS.map((kind) => [kindSlug(kind), kind.name]),
    ["people", "Professionals"],
  ]);
});

test.each(["all", "", "useful_links", "Articles", "__proto__", "constructor"])(
  "the kind %j means everything, and is not in the formatted query",
  (kind) => {
    expect(formatEverythingSearch(parse(`?q=x&kind=${kind}`))).toBe("?q=x");
  },
);

test("a search over everything drops NUL and surrounding spaces, and is cut to 300 characters", () => {
  expect(parse("?q=%20a%00b%20").text).toBe("ab");
  expect(parse(`?q=${"x".repeat(5_000)}`).text).toBe("x".repeat(300));
});
