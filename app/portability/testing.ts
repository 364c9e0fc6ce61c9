import { planImport } from "./import-plan.ts";
import type { FileContent } from "./items.ts";
import { readFiles } from "./read-files.ts";
import { rowOf } from "./run-import.ts";
import type { Stored } from "./stored-rows.ts";

export const ADA = "11111111-1111-4111-8111-111111111111";
export const GRACE = "22222222-2222-4222-8222-222222222222";

export const NOTHING_STORED: Stored = {
  items: { articles: new Map(), useful_links: new Map(), code_samples: new Map() },
  profile: null,
  skills: [],
  takenSkillIds: new Set(),
};

export function read(...files: File[]): Promise<FileContent> {
  return readFiles(files, { signal: new AbortController().signal, onRead: () => undefined });
}

/** The rows that an import of everything offered would write. */
export function rowsToWrite(content: FileContent, stored: Stored, userId: string) {
  return planImport(content, stored, userId).lines.flatMap(({ step }) =>
    step.kind === "item" ? [{ table: step.table, row: rowOf(step, userId) }] : [],
  );
}

/** A site that holds these rows, of the member who imports or of somebody else. */
export function siteWith(
  written: ReturnType<typeof rowsToWrite>,
  isOwn: boolean,
  updated_at = "2026-01-01T00:00:00Z",
): Stored {
  const stored = structuredClone(NOTHING_STORED);
  for (const { table, row } of written) {
    const own = { updated_at, fields: row as never };
    stored.items[table].set(String(row["id"]), isOwn ? own : "taken");
  }
  return stored;
}
