import { readFiles } from "./files/read-files.ts";
import { addPictures } from "./pictures/add-pictures.ts";
import { type Plan, planRows } from "./plan.ts";
import type { ImportSite } from "./site.ts";
import { readStored } from "./stored-rows.ts";

export type { LeftOut } from "./left-out.ts";
export type { Plan, PlanLine } from "./plan.ts";
export { type ImportResult, runImport } from "./run-import.ts";
export type { ImportSite } from "./site.ts";

/** Reads files and compares them with the member's content. Writes nothing. Throws if the site can't be read. */
export async function planImport(files: File[], site: ImportSite): Promise<Plan> {
  const content = await readFiles(files);
  await addPictures(content, site.userId, site.pictures.fit);
  return planRows(content, await readStored(site, content), site.userId);
}
