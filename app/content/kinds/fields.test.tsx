import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { emptyValues } from "../../../common/kinds/form-values.ts";
import { KINDS, kindName } from "../../../common/kinds/index.ts";
import { fieldOf } from "../../ui/field.tsx";
import type { ContentKind } from "../content-kind.ts";

const FIELDS = import.meta.glob<ContentKind["Fields"]>("./*/fields.tsx", { eager: true, import: "default" });
const NO_UPLOADS = { uploads: [], uploadProblem: "", send: () => undefined };

test.each(KINDS.map((kind) => [kindName(kind), kind] as const))(
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
  },
);
