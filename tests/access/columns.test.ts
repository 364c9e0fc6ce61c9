// Writes the values of forms through the real database, without a browser.
import { afterAll, describe, expect, test } from "vitest";
import { toColumns, toValues } from "../../common/kinds/form-values.ts";
import { EACH_KIND, exampleRow } from "../support/example-rows.ts";
import { startTestRest } from "../support/rest.ts";

const rest = await startTestRest();
const member = await rest.signedIn();
const client = rest.client(member.token);
afterAll(() => rest.stop());

describe.each(EACH_KIND)("the form for a row of %s", (table, kind) => {
  test("saves an item, and shows the saved values again", async () => {
    const example = exampleRow(kind, member.id);
    const values = toValues(kind, example);
    const row = { ...toColumns(kind, values), [kind.ownerColumn]: member.id };
    const { data } = await client.from(table).insert(row).select().single().throwOnError();
    expect(data).toMatchObject(example);
    expect(toValues(kind, data)).toEqual(values);
  });
});
