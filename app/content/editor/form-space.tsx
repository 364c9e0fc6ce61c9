import { Suspense } from "react";
import { Button } from "../../ui/button.tsx";
import { fieldOf } from "../../ui/field.tsx";
import type { ContentKind } from "../content-kind.ts";

const NO_UPLOADS = { uploads: [], uploadProblem: "", send: () => undefined };

/** Takes up the room of a kind's empty form, with the form's own fields, until the form's code has loaded. */
export function FormSpace({ kind }: { kind: ContentKind }) {
  const { Fields, emptyValues, columns, texts } = kind;
  return (
    <div inert aria-hidden="true" className="invisible border-t-2 pt-3">
      <div className="min-h-11" />
      <div className="mt-3 min-w-0 space-y-4">
        {/* React hydrates what is in a <Suspense> last. By then, visitors' pages have removed this space. */}
        <Suspense>
          <Fields
            values={emptyValues}
            field={fieldOf(emptyValues, () => undefined, columns)}
            formUploads={NO_UPLOADS}
          />
        </Suspense>
        <Button>{texts.createButton}</Button>
      </div>
    </div>
  );
}
