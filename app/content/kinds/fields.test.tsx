import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { emptyValues } from "../../../common/data/form-values.ts";
import { KINDS, kindSlug } from "../../../common/kinds/index.ts";
import { fieldOf } from "../../ui/field.tsx";
import type { ContentKind } from "../content-kind.ts";

const FIELDS = import.meta.glob<ContentKind["Fields"]>("./*/fields.tsx", { eager: true, import: "default" });
const NO_UPLOADS = { uploads: [], uploadProblem: "", send: () => undefined };

test.each(KINDS.map((kind) => [kindSlug(kind), kind] as const))(
  "the form of %s has one field for each column, with a label",
  (name, kind) => {
    const Fields = FIELDS[`./${name}/fields.tsx`];
    if (!Fields) throw new Error(`content/kinds/${name} lacks fields.tsx`);
    const values = emptyValues(kind);
    const field = fieldOf(values, () => undefined, kind.columns);
    const markup = renderToStaticMarkup(<Fields values={values} field={field} formUploads={NO_UPLOADS} />);
    const fields = [...markup.matchAll(/<(?:input|textarea|select)[^>]* name="([^"]*)"/g)];
    expect(fields.map(([, column]) => column).sort()).toEqual(Object.keys(kind.columns).sort());
    expect(markup.match(/<label/g)).toHaveLength(fields.length);
    // HTML allows a required select only if its first option has no value.
    expect(markup).not.toMatch(/<select(?=[^>]* required)[^>]*><option value="[^"]/);
  },
);

// Specification §4 names these fields.
test.each([
  ["articles", "content"],
  ["useful-links", "url"],
  ["sample-code", "code_content"],
])("a new item of %s counts as unsaved only with text in title or %s", (name, mainField) => {
  const kind = KINDS.find((one) => kindSlug(one) === name);
  if (!kind) throw new Error(`${name} is not a kind`);
  const values = emptyValues(kind);
  const changes = Object.entries(values).map(([column, value]) => {
    const changed = typeof value === "boolean" ? !value : "x";
    return [column, kind.isDirty({ ...values, [column]: changed })];
  });
  expect(kind.isDirty(values)).toBe(false);
  expect(changes.filter(([, isDirty]) => isDirty).map(([column]) => column)).toEqual(["title", mainField]);
});
