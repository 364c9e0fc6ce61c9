import { readItem } from "../../../common/data/content-reads.ts";
import { upsertItem } from "../../../common/data/content-writes.ts";
import { toColumns, toValues } from "../../../common/data/form-values.ts";
import { readerOf } from "../../../common/data/postgrest-reader.ts";
import type { FormValues, KindDefinition } from "../../../common/kinds/kind-definition.ts";
import { withoutPlaceholders } from "../../pictures/placeholder.ts";
import { memberData } from "../../session/member-data.ts";

/** Reads the stored values of an item's form. Returns null if the item doesn't exist. */
export async function readValues(kind: KindDefinition, id: string): Promise<FormValues | null> {
  const row = await readItem(readerOf(await memberData()), kind.table, id);
  return row && toValues(kind, row);
}

/** The columns of a saved item that its form contains. */
export type SavedColumns = Record<string, unknown>;

/** Creates or replaces an item with the values of its form. */
export async function upsertValues(
  kind: KindDefinition,
  ownerId: string | null,
  id: string,
  values: FormValues,
): Promise<SavedColumns> {
  const columns = toColumns(kind, mapTexts(values, withoutPlaceholders));
  await upsertItem(await memberData(), kind.table, {
    ...columns,
    id,
    [kind.ownerColumn]: ownerId,
    ...(kind.hasUpdatedAt && { updated_at: new Date().toISOString() }),
  });
  return columns;
}

/** A form is not sent while pictures are uploading, but Redo or a paste can bring back a placeholder. */
function mapTexts(values: FormValues, map: (text: string) => string): FormValues {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "string" ? map(value) : value,
  ]);
  return Object.fromEntries(entries);
}
