import { stat } from "node:fs/promises";
import path from "node:path";
import type { Settings } from "../../config/settings.ts";
import type { Log } from "../../http/log.ts";
import { type Counts, type DumpOptions, dump } from "./dump.ts";
import { writeWhole } from "./file.ts";
import { openSiteDatabase } from "./site-database.ts";

/** What was written. */
export interface Written {
  file: string;
  accounts: number;
  rows: number;
  bytes: number;
}

/**
 * Takes the settings, a file's name and what to put in, writes a dump of the site, which may be running and
 * written to. Throws BackupError or StartError.
 */
export async function backUp(
  settings: Settings,
  name: string,
  options: DumpOptions,
  log: Log,
): Promise<Written> {
  const file = path.resolve(name);
  const database = await openSiteDatabase(settings, log);
  const counts: Counts = new Map();
  try {
    await writeWhole(file, dump(database.client, options, counts));
  } finally {
    await database.close();
  }
  const rows = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return { file, accounts: counts.get("auth.users") ?? 0, rows, bytes: (await stat(file)).size };
}
