import { readFiles } from "../../app/import/files/read-files.ts";
import type { ImportSite } from "../../app/import/index.ts";
import type { FileContent } from "../../app/import/items.ts";
import { planRows } from "../../app/import/plan.ts";
import type { Stored } from "../../app/import/stored-rows.ts";
import type { DataClient } from "../../common/data/client.ts";
import type { ContentRow } from "../../common/data/schema.ts";
import { KINDS } from "../../common/kinds/index.ts";

export const ADA = "11111111-1111-4111-8111-111111111111";
export const GRACE = "22222222-2222-4222-8222-222222222222";

export const NOTHING_STORED: Stored = {
  items: Object.fromEntries(KINDS.map(({ table }) => [table, new Map()])),
  profile: null,
  skills: [],
  pictures: new Set(),
};

/** Ada's side of an import, without pictures. */
export const siteOf = (data: DataClient, pictures: Partial<ImportSite["pictures"]> = {}): ImportSite => ({
  userId: ADA,
  data,
  pictures: {
    fit: () => Promise.reject(new Error("The import must not prepare a picture")),
    list: async () => [],
    store: () => Promise.reject(new Error("The import must not store a picture")),
    ...pictures,
  },
});

export const read = (...files: File[]): Promise<FileContent> => readFiles(files);

/** Returns the item rows that an import writes. Omits the group "Replace", which contains the profile and skills. */
export function rowsToWrite(content: FileContent, stored: Stored, userId: string) {
  const lines = planRows(content, stored, userId).lines.filter(({ group }) => group !== "Replace");
  return lines.flatMap(({ writes }) =>
    writes.flatMap((write) => ("row" in write ? [{ table: write.table, row: write.row }] : [])),
  );
}

/** Returns the stored state of a site that contains only the rows in `written`. */
export function siteWith(
  written: ReturnType<typeof rowsToWrite>,
  updated_at = "2026-01-01T00:00:00Z",
): Stored {
  const stored = structuredClone(NOTHING_STORED);
  for (const { table, row } of written) {
    stored.items[table]?.set(String(row["id"]), { updated_at, ...row } as unknown as ContentRow);
  }
  return stored;
}
