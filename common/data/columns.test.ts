import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { KINDS } from "../kinds/index.ts";
import { type Column, fieldAttributes, isDay, maxLengthOf } from "./columns.ts";
import { PROFILE_COLUMNS, SKILL_COLUMNS } from "./profile-columns.ts";

const contract = readFileSync(path.join(import.meta.dirname, "../../docs/contract.md"), "utf8");
const [, limits = ""] = /\n## Limits\n(.*?)\n## /s.exec(contract) ?? [];

const columns = [...KINDS.map(({ columns }) => columns), PROFILE_COLUMNS, SKILL_COLUMNS].flatMap((columns) =>
  Object.values<Column>(columns),
);

const sorted = (numbers: Iterable<number>) => [...new Set(numbers)].sort((a, b) => a - b);

test("the columns have exactly the limits that the contract lists", () => {
  const rows = limits.split("\n").filter((line) => /\d characters(;.*)? \|$/.test(line));
  const documented = rows.flatMap((row) => row.match(/\d[\d,]*/g) ?? []);
  expect(documented.length).toBeGreaterThan(3);
  const characters = columns.flatMap((column) => maxLengthOf(column) ?? []);
  expect(sorted(characters)).toEqual(sorted(documented.map((text) => Number(text.replace(",", "")))));

  const [, years] = /\| years of experience \| (\d+) \|/.exec(limits) ?? [];
  const numbers = columns.filter((column) => column.type === "number");
  const withYears = numbers.filter(({ noun }) => noun === "years of experience");
  expect(withYears.map(({ max }) => max)).toEqual(withYears.map(() => Number(years)));
  expect(withYears.length).toBe(2);
});

test("a form's field applies the rules of its column", () => {
  const noun = "x";
  const attributes = (column: object) => fieldAttributes({ noun, ...column } as Column);
  expect(attributes({ type: "text", maxLength: 9 })).toEqual({ required: false, maxLength: 9 });
  expect(attributes({ type: "markdown", maxLength: 9, isRequired: true })).toEqual({
    required: true,
    maxLength: 9,
  });
  expect(attributes({ type: "text", maxLength: 9, isRequired: false })).toMatchObject({ required: false });
  expect(attributes({ type: "address" })).toEqual({ required: false, maxLength: 4_000, type: "url" });
  expect(attributes({ type: "choice", options: { a: "A" } })).toEqual({
    required: false,
    options: { a: "A" },
  });
  expect(attributes({ type: "date" })).toMatchObject({ type: "date", min: "0001-01-01", max: "9999-12-31" });
  expect(attributes({ type: "number", min: 1, max: 5 })).toMatchObject({ type: "number", min: 1, max: 5 });
  expect(attributes({ type: "flag" })).toEqual({});
});

test.each(["2024-02-29", "0001-01-01", "9999-12-31", "1969-07-20"])("%s is a day", (text) => {
  expect(isDay(text)).toBe(true);
});

test.each([
  "2023-02-29",
  "2024-2-9",
  "2024-02-09T00:00:00Z",
  "0000-01-01",
  "10000-01-01",
  "12024-02-09",
  "2024-02-099",
  "-infinity",
  "",
  "today",
])("“%s” is not a day", (text) => {
  expect(isDay(text)).toBe(false);
});
