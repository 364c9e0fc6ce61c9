import type { Database } from "./database.ts";
import { freeBytes } from "./embedded/disk-check.ts";
import { LAST_BACKUP } from "./last-backup.ts";

/** Statistics of a built-in backend's database, for the metrics and the operators' page. */
export interface Statistics {
  databaseBytes: number;
  members: number;
  /** Sessions that haven't ended. */
  sessions: number;
  lastBackup: Date | null;
  /** On the disk of DATA_DIR. Null if another server stores the data. */
  freeDiskBytes: number | null;
}

const READ = `
  select pg_database_size(current_database())::float8 as "databaseBytes",
    (select count(*)::int from auth.users) as members,
    (select count(*)::int from auth.sessions where not_after is null or not_after > now()) as sessions,
    ${LAST_BACKUP} as "lastBackup"`;

/** Throws DatabaseUnavailableError. `dataDir` is undefined if another server stores the data. */
export async function readStatistics(
  { read }: Pick<Database, "read">,
  dataDir: string | undefined,
): Promise<Statistics> {
  const { rows } = await read<Statistics>({ role: "supabase_auth_admin" }, { text: READ });
  const freeDiskBytes = dataDir === undefined ? null : await freeBytes(dataDir).catch(() => null);
  return { ...(rows[0] as Statistics), freeDiskBytes };
}
