import { expect, test } from "vitest";
import type { Column } from "./columns.ts";
import { emptyValues, toColumns, toValues } from "./form-values.ts";

const FORM = {
  columns: {
    title: { type: "text", noun: "title", isRequired: true, maxLength: 9 },
    note: { type: "text", noun: "note", maxLength: 9 },
    years: { type: "number", noun: "years", min: 0, max: 9 },
    skills: { type: "list", noun: "skills", maxLength: 99 },
    published: { type: "flag", noun: "state" },
  } satisfies Record<string, Column>,
};
const EMPTY = { title: "", note: "", years: "", skills: "", published: false };

test("an empty form has an empty text for every column, and unchecked boxes", () => {
  expect(emptyValues(FORM)).toEqual(EMPTY);
  expect(toValues(FORM, { title: null, published: null })).toEqual(EMPTY);
});

test("a row's values are shown as text, and a list as one line", () => {
  const row = { id: "1", title: "Joins", note: null, years: 0, skills: ["SQL", "Go"], published: true };
  const values = { title: "Joins", note: "", years: "0", skills: "SQL, Go", published: true };
  expect(toValues(FORM, row)).toEqual(values);
  const { id, ...columns } = row;
  expect(toColumns(FORM, values)).toEqual(columns);
});

test("an empty field is stored as null, or as the caller says, but a required text stays empty", () => {
  expect(toColumns(FORM, EMPTY)).toEqual({
    title: "",
    note: null,
    years: null,
    skills: [],
    published: false,
  });
  expect(toColumns(FORM, EMPTY, "")).toMatchObject({ title: "", note: "", years: null });
});

test("numbers are truncated, and lists lose blanks and empty entries", () => {
  expect(toColumns(FORM, { ...EMPTY, years: "3.9", skills: " SQL ,, Go," })).toMatchObject({
    years: 3,
    skills: ["SQL", "Go"],
  });
  expect(toColumns(FORM, { ...EMPTY, years: "many" })).toMatchObject({ years: null });
});
