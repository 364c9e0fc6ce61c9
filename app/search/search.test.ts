import { expect, test } from "vitest";
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

test("the kinds in the selector are those of the contract, in its order", () => {
  expect(Object.entries(SEARCHED_KINDS).map(([value, { name }]) => [value, name])).toEqual([
    ["all", "Everything"],
    ["articles", "Articles"],
    ["useful-links", "Useful Links"],
    ["sample-code", "Sample Code"],
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
