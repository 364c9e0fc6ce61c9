import { readdir, rm } from "node:fs/promises";
import path from "node:path";

const DAY_MS = 86_400_000;
/** Killed backups leave `.partial` files behind (write-atomically.ts). */
const BACKUP = /^techfolio-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3})Z\.sql\.zst(\.[\w-]+\.partial)?$/;

/** Returns a name that no earlier backup in a folder has, such as `techfolio-20261126T031500.123Z.sql.zst`. */
export function backupName(time: Date): string {
  return `techfolio-${time.toISOString().replaceAll(/[-:]/g, "")}.sql.zst`;
}

export interface Retention {
  /** How many of the newest backups are kept. */
  keep?: number | undefined;
  days?: number | undefined;
}

/**
 * Deletes backups in a folder that are older than `days`, or not among the `keep` newest. Deletes no other files, and
 * never the newest backup. Returns how many backups it deleted.
 */
export async function deleteOldBackups(
  folder: string,
  { keep, days }: Retention,
  now: Date,
): Promise<number> {
  const names = (await readdir(folder)).filter((name) => BACKUP.test(name)).sort();
  const complete = names.filter((name) => !name.endsWith(".partial"));
  const oldestKept = days === undefined ? Number.NEGATIVE_INFINITY : now.getTime() - days * DAY_MS;
  const newest = complete.slice(-(keep ?? complete.length));
  const isKept = (name: string) =>
    name === complete.at(-1) ||
    (timeOf(name) >= oldestKept && (newest.includes(name) || name.endsWith(".partial")));
  const old = names.filter((name) => !isKept(name));
  for (const name of old) await rm(path.join(folder, name));
  return old.filter((name) => complete.includes(name)).length;
}

function timeOf(name: string): number {
  return Date.parse(name.replace(BACKUP, "$1-$2-$3T$4:$5:$6Z"));
}
