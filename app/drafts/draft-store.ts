import { withoutPlaceholders } from "../pictures/placeholder.ts";
import { browserStorage, draftPrefix } from "./draft-keys.ts";

export interface Draft<Values> {
  /** Each open form has its own draft id, because several tabs may keep drafts at the same time. */
  id: string;
  /** The id of the row being edited, or null for a new row. */
  rowId: string | null;
  values: Values;
  /** The values that the form started with. If null, all values count as edited. */
  base: Values | null;
  /** The id that a new row gets. All attempts to save it use the same id, so that they can't create it twice. */
  newRowId?: string | undefined;
  /** The values last sent to create the row. The row may exist even if the response was lost. */
  sent?: Values | undefined;
  /** When the draft was last kept, in milliseconds since 1970. The form offers the newest draft first. */
  keptAt: number;
}

/**
 * Keeps a member's drafts of a form in the browser's storage.
 *
 * @param formKey identifies the forms that offer each other's drafts, e.g. "articles".
 * A form also offers the drafts of forms with longer keys that start with its own, e.g. "articles.7".
 */
export function draftStore<Values extends object>(
  userId: string | null,
  formKey: string,
  empty: Values,
  storage: Storage | null = browserStorage(),
) {
  const prefix = draftPrefix(userId, formKey);

  function read(key: string): Draft<Values> | null {
    try {
      const kept = JSON.parse(storage?.getItem(key) ?? "null") as Partial<Draft<Values>> | null;
      if (typeof kept?.keptAt !== "number" || typeof kept.values !== "object") return null;
      return {
        id: key.slice(prefix.length),
        rowId: typeof kept.rowId === "string" ? kept.rowId : null,
        // The draft may be from an older release with other fields.
        values: fitToForm(empty, kept.values),
        base: kept.base ? fitToForm(empty, kept.base) : null,
        ...(typeof kept.newRowId === "string" &&
          kept.sent && { newRowId: kept.newRowId, sent: fitToForm(empty, kept.sent) }),
        keptAt: kept.keptAt,
      };
    } catch {
      return null;
    }
  }

  return {
    all(): Draft<Values>[] {
      return Object.keys(storage ?? {})
        .filter((key) => key.startsWith(prefix))
        .flatMap((key) => read(key) ?? [])
        .sort((a, b) => b.keptAt - a.keptAt);
    },
    /** Returns false if the browser's storage is full or unavailable. */
    keep({ id, ...draft }: Omit<Draft<Values>, "keptAt">): boolean {
      try {
        // Drop the placeholders of unfinished uploads: the tab may be closed before they finish.
        const json = JSON.stringify({ ...draft, keptAt: Date.now() }, (_name, value) =>
          typeof value === "string" ? withoutPlaceholders(value) : value,
        );
        storage?.setItem(`${prefix}${id}`, json);
        return storage !== null;
      } catch {
        return false;
      }
    },
    drop(id: string) {
      storage?.removeItem(`${prefix}${id}`);
    },
  };
}

/** Drops fields that the form doesn't have or that have another type, and leaves missing ones empty. */
function fitToForm<Values extends object>(empty: Values, kept: object): Values {
  const known = Object.entries(kept).filter(
    ([field, value]) => typeof value === typeof empty[field as keyof Values],
  );
  return { ...empty, ...Object.fromEntries(known) };
}

export function changedFields<Values extends object>(base: Values, values: Values): Partial<Values> {
  const changed = Object.entries(values).filter(([field, value]) => base[field as keyof Values] !== value);
  return Object.fromEntries(changed) as Partial<Values>;
}

export const areEqual = <Values extends object>(one: Values, other: Values) =>
  Object.keys(changedFields(one, other)).length === 0;
