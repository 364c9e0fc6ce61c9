import { expect, test } from "vitest";
import { SKILL_CATEGORIES } from "../../../common/data/vocabulary.ts";
import { formatPeopleSearch, parsePeopleSearch } from "./people-search.ts";

const parse = (query: string) => parsePeopleSearch(new URLSearchParams(query));

test("parsing and then formatting a search of the directory returns the same URL query", () => {
  const categories = Object.keys(SKILL_CATEGORIES).map((category) => `?category=${category}`);
  for (const query of ["", "?q=a+%26+%25", "?sort=name", "?q=x&category=sql&sort=name", ...categories])
    expect(formatPeopleSearch(parse(query))).toBe(query);
});

test("an unknown category or order of the directory is replaced with the default", () => {
  for (const category of ["cobol", "toString", "SQL"])
    expect(parse(`?q=+a+&category=${category}&sort=sideways`)).toEqual({
      text: "a",
      category: "",
      sort: "experience",
    });
});
