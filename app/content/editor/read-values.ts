import { readItem } from "../../data/content-reads.ts";
import { openAuth } from "../../session/open-auth.ts";
import { toValues } from "../kinds/form-values.ts";
import type { FormValues, KindDefinition } from "../kinds/kind-definition.ts";

/** Reads the stored values of an item's form. Returns null if the item doesn't exist. */
export async function readValues(kind: KindDefinition, id: string): Promise<FormValues | null> {
  const row = await readItem((await openAuth()).data, kind.table, id);
  return row && toValues(kind, row);
}
