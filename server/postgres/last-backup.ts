import type pg from "pg";

/** A day, and an hour because the timer in deploy/ adds a random delay. */
const MAX_AGE_MS = 25 * 3_600_000;
const PREFIX = "Techfolio: last backup ";

/** An SQL expression: when `npm run backup` last made a backup of this database, or null. Every login can read it. */
export const LAST_BACKUP = `(
  select substring(obj_description(c.oid, 'pg_class') from '^${PREFIX}(.+)$')::timestamptz
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'supabase_migrations' and c.relname = 'schema_migrations')`;

/**
 * An SQL expression: when the oldest account was created, or null. Omits the demo community (supabase/seed.sql), whose
 * accounts are months old on a new site and need no backup.
 */
export const OLDEST_ACCOUNT =
  "(select min(created_at) from auth.users where (email like '%@techfolio.example') is not true)";

/** Whether a day has passed without a backup. A site without members needs none. */
export function isBackupOverdue(last: Date | null, oldestAccount: Date | null): boolean {
  const since = last ?? oldestAccount;
  return since !== null && Date.now() - since.getTime() > MAX_AGE_MS;
}

/**
 * Stores the time of a backup in the database, so that every process knows it, on every machine. A comment needs no
 * table, and backups don't contain it. `client` must be connected as the owner.
 */
export async function recordBackup(client: pg.ClientBase, time: Date): Promise<void> {
  await client.query(
    `comment on table supabase_migrations.schema_migrations is '${PREFIX}${time.toISOString()}'`,
  );
}
