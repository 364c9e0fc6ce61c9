// Writes the values of forms through the real database, without a browser.
import { afterAll, describe, expect, test } from "vitest";
import { type Column, maxLengthOf } from "../../common/data/columns.ts";
import { toColumns, toValues } from "../../common/data/form-values.ts";
import { KINDS } from "../../common/kinds/index.ts";
import type { FormValues, KindDefinition } from "../../common/kinds/kind-definition.ts";
import { readMigrations } from "../../server/postgres/migrations.ts";
import { startTestRest } from "../support/rest.ts";
import { TALKS_MIGRATION, talks } from "../support/talks.tsx";

const rest = await startTestRest([...(await readMigrations()), TALKS_MIGRATION]);
const member = await rest.signedIn();
const client = rest.client(member.token);
afterAll(() => rest.stop());

const ADDRESS = "https://a.test/";

/** A short value that a form accepts for a column. */
function short(column: Column): string | boolean {
  if (column.type === "address") return ADDRESS;
  return "maxLength" in column ? "ä" : largest(column);
}

/** The largest value that a form accepts for a column. */
function largest(column: Column): string | boolean {
  switch (column.type) {
    case "flag":
      return true;
    case "number":
      return String(column.max);
    case "choice":
      return Object.keys(column.options).at(-1) ?? "";
    case "date":
      return "9999-12-31";
    case "address":
      return ADDRESS.padEnd(maxLengthOf(column) ?? 0, "a");
    case "list":
      return "sql, indexes";
    default:
      return "".padEnd(column.maxLength, "Zoë reads. ");
  }
}

/** Values that a form doesn't accept for a column. */
function invalid(column: Column): (string | boolean)[] {
  const values: (string | boolean)[] = [];
  if ("isRequired" in column && column.isRequired) values.push("");
  if (column.type === "number") values.push(String(column.min - 1), String(column.max + 1));
  else if (column.type === "choice") values.push("another");
  else if (column.type !== "list" && maxLengthOf(column) !== undefined) values.push(`${largest(column)}a`);
  return values;
}

/** Further values that a form accepts for a column: an empty field, or a checkbox that isn't checked. */
function empty(column: Column): (string | boolean)[] {
  if (column.type === "flag") return [false];
  return "isRequired" in column && column.isRequired ? [] : [""];
}

for (const kind of [...KINDS, talks as unknown as KindDefinition]) {
  const others = Object.fromEntries(
    Object.entries(kind.columns).map(([name, column]) => [name, short(column)]),
  ) as FormValues;

  const insert = (values: FormValues) => {
    const row = { ...toColumns(kind, values), [kind.ownerColumn]: member.id };
    return client.from(kind.table).insert(row).select().single();
  };

  describe.each(Object.entries(kind.columns))(`${kind.table}.%s`, (name, column) => {
    test("every value that its field accepts is saved and shown again", async () => {
      for (const value of [short(column), largest(column), ...empty(column)]) {
        const values = { ...others, [name]: value };
        const { data } = await insert(values).throwOnError();
        expect(toValues(kind, data)).toEqual(values);
        if (value === "") expect(data[name]).toEqual(column.type === "list" ? [] : null);
      }
    });

    test.each(invalid(column))(
      "the database rejects what its field doesn't accept (case %#)",
      async (value) => {
        const { error } = await insert({ ...others, [name]: value });
        // PostgreSQL can't parse an empty text as a date (22007).
        expect(error?.code).toBe(column.type === "date" ? "22007" : "23514");
      },
    );
  });
}
