import type pg from "pg";
import type { Finding } from "../../common/data/operators.ts";
import { errorMessage } from "../config/error-message.ts";
import { OperatorError } from "../config/operator-error.ts";
import { isBackupOverdue, LAST_BACKUP, OLDEST_ACCOUNT } from "../postgres/last-backup.ts";
import { hasHistory, pendingMigrations, readMigrations } from "../postgres/migrations.ts";
import { largeSearchIndexes } from "../postgres/search-indexes.ts";
import { isServedWithOtherKeys, OTHER_KEYS } from "../postgres/serving-role.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
/** Processes accept tokens from up to 30 seconds in the future, so report a difference well before. */
const MAX_CLOCK_DIFFERENCE_MS = 5 * SECOND_MS;

export const CASE_LIMITED =
  "Searches ignore case only in English letters: create the database with a locale such as C.UTF-8";

/** Resolves to what `check` says, or what it throws, as a finding. */
export async function findingOf(topic: string, check: () => Promise<string>): Promise<Finding> {
  try {
    return { topic, isProblem: false, text: await check() };
  } catch (error) {
    const message = errorMessage(error);
    const text = error instanceof OperatorError ? message : `The check failed: ${message}.`;
    return { topic, isProblem: true, text };
  }
}

interface Inspected {
  client: pg.Client;
  /** Undefined if no keys have been created yet. */
  jwtSecret: string | undefined;
  /** Whether another server than ours stores the data, perhaps on another machine and with its own backups. */
  isExternal: boolean;
  hasBackupsElsewhere: boolean;
}

/** Checks what a start checks, and what makes a running site fail later. Changes nothing. Never throws. */
export async function inspectDatabase(inspected: Inspected): Promise<Finding[]> {
  const { client, isExternal } = inspected;
  const schema = await findingOf("schema", () => checkSchema(client));
  // The first start prepares an empty database. One of an old version has other tables.
  if (schema.isProblem || !(await hasHistory(client))) return [schema];
  // One connection runs one query at a time.
  const findings = [schema];
  findings.push(await findingOf("search", () => checkCase(client)));
  findings.push(await findingOf("search index", () => checkSearchIndex(client)));
  if (isExternal) {
    findings.push(await findingOf("keys", () => checkKeys(inspected)));
    findings.push(await findingOf("clock", () => checkClock(client)));
  }
  findings.push(await findingOf("backup", () => checkBackup(inspected)));
  return findings;
}

async function checkSchema(client: pg.Client): Promise<string> {
  if (!(await hasHistory(client))) return "The first start will prepare the database.";
  const { length } = await pendingMigrations(client, await readMigrations());
  return length === 0 ? "The schema is up to date." : `The next start applies ${length} migration(s).`;
}

async function checkCase(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ folds: boolean }>("select 'Ü' ilike 'ü' as folds");
  if (rows[0]?.folds) return "Searches ignore case in all alphabets.";
  throw new OperatorError(`${CASE_LIMITED}.`);
}

async function checkSearchIndex(client: pg.Client): Promise<string> {
  const large = await largeSearchIndexes(client);
  if (large.length > 0) {
    const commands = large.map(({ name }) => `REINDEX INDEX CONCURRENTLY ${name};`).join(" ");
    throw new OperatorError(
      `The searches' indexes are more than twice as large as their table, which slows searches down. The running site rebuilds them within an hour, if its login owns the tables and the disk has room. Otherwise, run this SQL: ${commands} select private.resample();`,
    );
  }
  const { rows } = await client.query<{ waiting: boolean }>(
    "select exists (select from private.search_backlog) as waiting",
  );
  if (rows[0]?.waiting) return "The running site is still indexing older items for the searches.";
  return "The searches' indexes have a normal size.";
}

async function checkKeys({ client, jwtSecret }: Inspected): Promise<string> {
  if (jwtSecret === undefined) return "The first start will create the keys.";
  if (await isServedWithOtherKeys(client, jwtSecret)) throw new OperatorError(OTHER_KEYS);
  return "No process serves this database with other keys.";
}

async function checkClock(client: pg.Client): Promise<string> {
  const before = Date.now();
  const { rows } = await client.query<{ now: number }>(
    "select (extract(epoch from clock_timestamp()) * 1000)::float8 as now",
  );
  const ours = (before + Date.now()) / 2;
  const ahead = ours - (rows[0]?.now ?? ours);
  const difference = `${(Math.abs(ahead) / SECOND_MS).toFixed(1)} seconds`;
  if (Math.abs(ahead) <= MAX_CLOCK_DIFFERENCE_MS)
    return `This machine's clock and the database's differ by ${difference}.`;
  throw new OperatorError(
    `This machine's clock is ${difference} ${ahead > 0 ? "ahead of" : "behind"} the database's: synchronize the clocks. If those of two processes differ by more than 30 seconds, members are signed out.`,
  );
}

async function checkBackup({ client, hasBackupsElsewhere }: Inspected): Promise<string> {
  if (hasBackupsElsewhere) return "Another program makes the backups (BACKUPS=elsewhere).";
  const { rows } = await client.query<{ last: Date | null; oldestAccount: Date | null }>(
    `select ${LAST_BACKUP} as last, ${OLDEST_ACCOUNT} as "oldestAccount"`,
  );
  const { last, oldestAccount } = rows[0] ?? { last: null, oldestAccount: null };
  const isOverdue = isBackupOverdue(last, oldestAccount);
  if (last === null) {
    if (!isOverdue) return "No backup has been made yet.";
    throw new OperatorError(
      'No backup has been made: set one up (docs/deploying.md, "Backups"). If another program makes the backups, set BACKUPS=elsewhere.',
    );
  }
  const hours = Math.floor((Date.now() - last.getTime()) / HOUR_MS);
  if (!isOverdue)
    return `The newest backup was made ${hours === 0 ? "less than an hour" : `${hours} hour(s)`} ago.`;
  throw new OperatorError(
    `The newest backup is ${hours} hours old: check the timer that makes backups (docs/deploying.md, "Backups").`,
  );
}
