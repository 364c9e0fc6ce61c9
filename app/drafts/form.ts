import { v4 as newUuid } from "uuid";
import type { Upload, UploadEvent } from "../pictures/uploads.ts";
import { areEqual, changedFields, type Draft } from "./draft-store.ts";

/**
 * A form on the screen. `docs/list-and-form-states.md` draws its states.
 * Only a save or a decision of the member empties it: a failure changes the status, never the values.
 */
export interface Form<Values> {
  /** The id of the form's draft. It changes whenever the form shows another row or another draft. */
  id: string;
  /** The id of the row being edited, or null for a new row. */
  rowId: string | null;
  /** The id that a new row gets. All attempts to save it use the same id, so that they can't create it twice. */
  newRowId: string;
  values: Values;
  /** The values that the form started with. If null, all values count as edited. */
  base: Values | null;
  /** The values last sent to create the row. The row may exist even if the response was lost. */
  sent?: Values | undefined;
  uploads: Upload[];
  /** Why the last upload failed, or an empty string. */
  uploadProblem: string;
  status: FormStatus<Values>;
}

type FormStatus<Values> =
  | { is: "editing" }
  /** The member wants to save, but pictures are still uploading. */
  | { is: "waiting" }
  | { is: "sending" }
  /** The last attempt failed. The member can repeat it. */
  | { is: "failed" }
  /** Another tab or device has changed the row or, if `newer` is null, deleted it. */
  | { is: "conflict"; rowId: string; newer: Values | null };

export type FormEvent<Values> =
  | { type: "changed"; part: Partial<Values> }
  /** The form shows another row, or an empty one. */
  | { type: "opened"; rowId: string | null; values: Values }
  /** Other values for the same row, such as those of an earlier version. */
  | { type: "filledIn"; values: Values }
  | { type: "restored"; draft: Omit<Draft<Values>, "keptAt">; empty: Values }
  /** The stored values have been read, or have changed. The member's edits are applied to them. */
  | { type: "rebased"; base: Values }
  | { type: "submitted" }
  /** The values are being sent to create the row. */
  | { type: "creating" }
  // The results of a save name the form that sent it. They change only this form.
  | { type: "saved"; formId: string; base: Values }
  | { type: "failed"; formId: string }
  | { type: "conflicted"; formId: string; rowId: string; newer: Values | null }
  | UploadEvent;

export function startForm<Values>(values: Values): Form<Values> {
  return {
    id: newUuid(),
    rowId: null,
    newRowId: newUuid(),
    values,
    base: values,
    uploads: [],
    uploadProblem: "",
    status: EDITING,
  };
}

const EDITING = { is: "editing" } as const;

export const hasEdits = <Values extends object>({ base, values }: Form<Values>) =>
  base === null || !areEqual(base, values);

export function reduceForm<Values extends object>(
  form: Form<Values>,
  event: FormEvent<Values>,
): Form<Values> {
  if ("formId" in event && event.formId !== form.id) return form;
  switch (event.type) {
    case "changed":
      // A save replaces the values, so a change in the meantime would be lost.
      if (form.status.is === "sending") return form;
      return { ...form, values: { ...form.values, ...event.part }, status: afterChange(form.status) };
    case "opened":
      return { ...startForm(event.values), rowId: event.rowId };
    case "filledIn":
      return { ...form, id: newUuid(), values: event.values, status: EDITING };
    case "restored":
      return restored(form, event.draft, event.empty);
    case "rebased":
      return rebased(form, event.base);
    case "submitted":
      if (form.status.is === "sending") return form;
      return { ...form, status: { is: form.uploads.length > 0 ? "waiting" : "sending" } };
    case "creating":
      return { ...form, sent: form.values };
    case "saved":
      return { ...startForm(event.base), uploads: form.uploads };
    case "failed":
      return { ...form, status: { is: "failed" } };
    case "conflicted":
      return { ...form, status: { is: "conflict", rowId: event.rowId, newer: event.newer } };
    case "uploadsStarted":
      return { ...form, uploads: [...form.uploads, ...event.uploads], uploadProblem: "" };
    case "uploadProgressed":
      return {
        ...form,
        uploads: form.uploads.map((upload) =>
          upload.id === event.id ? { ...upload, progress: event.progress } : upload,
        ),
      };
    case "uploadEnded": {
      const uploads = form.uploads.filter(({ id }) => id !== event.id);
      const isDone = form.status.is === "waiting" && uploads.length === 0;
      const uploadProblem = event.problem ?? form.uploadProblem;
      return { ...form, uploads, uploadProblem, status: isDone ? EDITING : form.status };
    }
  }
}

/** A change ends the notice about a failure. A conflict stays, because it is about the stored row. */
function afterChange<Values>(status: FormStatus<Values>): FormStatus<Values> {
  return status.is === "failed" ? EDITING : status;
}

function rebased<Values extends object>(form: Form<Values>, base: Values): Form<Values> {
  return { ...form, base, values: { ...base, ...changedFields(form.base ?? base, form.values) } };
}

function restored<Values extends object>(
  form: Form<Values>,
  { id: _, ...draft }: Omit<Draft<Values>, "keptAt">,
  empty: Values,
): Form<Values> {
  const started = startForm(draft.values);
  // Use a new id, because another tab may still be writing its draft under the old id.
  const next = { ...started, ...draft, id: started.id, newRowId: draft.newRowId ?? started.newRowId };
  if (draft.rowId !== null) return next;
  // Apply the draft to what the form starts with: the stored row in a profile's form, empty values for a new item.
  const base = form.rowId === null ? form.base : empty;
  return base ? rebased(next, base) : next;
}
