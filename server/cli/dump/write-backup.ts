import { stat } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { type Counts, type DumpOptions, dump } from "./dump-database.ts";
import { writeWhole } from "./whole-file.ts";

export interface Written {
  file: string;
  accounts: number;
  rows: number;
  bytes: number;
}

export async function writeBackup(owner: pg.Client, name: string, options: DumpOptions): Promise<Written> {
  const file = path.resolve(name);
  const counts: Counts = new Map();
  await writeWhole(file, dump(owner, options, counts));
  const rows = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return { file, accounts: counts.get("auth.users") ?? 0, rows, bytes: (await stat(file)).size };
}
