import type { Settings } from "../config/settings.ts";
import type { Database } from "./database.ts";
import { freeBytes } from "./embedded/disk-check.ts";
import { isBackupOverdue, LAST_BACKUP, OLDEST_ACCOUNT } from "./last-backup.ts";

/** Statistics of a built-in backend's database, for the metrics and the operators' page. */
export interface Statistics {
  databaseBytes: number;
  members: number;
  /** Sessions that haven't ended. */
  sessions: number;
  lastBackup: Date | null;
  isBackupOverdue: boolean;
  /** On the disk of DATA_DIR. Null if another server stores the data. */
  freeDiskBytes: number | null;
}

const READ = `
  select pg_database_size(current_database())::float8 as "databaseBytes",
    (select count(*)::int from auth.users) as members,
    (select count(*)::int from auth.sessions where not_after is null or not_after > now()) as sessions,
    ${LAST_BACKUP} as "lastBackup", ${OLDEST_ACCOUNT} as "oldestAccount"`;

type Row = Omit<Statistics, "isBackupOverdue" | "freeDiskBytes"> & { oldestAccount: Date | null };

/** Throws DatabaseUnavailableError. */
export async function readStatistics(
  { read }: Pick<Database, "read">,
  {
    databaseUrl,
    dataDir,
    hasBackupsElsewhere,
  }: Pick<Settings, "databaseUrl" | "dataDir" | "hasBackupsElsewhere">,
): Promise<Statistics> {
  const { rows } = await read<Row>({ role: "supabase_auth_admin" }, { text: READ });
  const { oldestAccount, ...row } = rows[0] as Row;
  const isMissed = isBackupOverdue(row.lastBackup, oldestAccount);
  const freeDiskBytes = databaseUrl === undefined ? await freeBytes(dataDir).catch(() => null) : null;
  return { ...row, isBackupOverdue: isMissed && !hasBackupsElsewhere, freeDiskBytes };
}
