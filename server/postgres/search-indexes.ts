import type pg from "pg";
import { errorName } from "../config/error-message.ts";
import type { Log } from "../http/log.ts";
import type { OwnerConnection } from "./owner-connection.ts";

const HOUR_MS = 3_600_000;
/** Rebuilding a smaller index saves too little. */
const MIN_BYTES = 50_000_000;

interface LargeIndex {
  /** The name in SQL, with the schema. */
  name: string;
  bytes: number;
}

/**
 * Returns the searches' indexes that are more than twice as large as their table. GIN indexes never remove words, so they
 * stay large after a member with many texts is removed.
 */
export async function largeSearchIndexes(client: pg.ClientBase, minBytes = MIN_BYTES): Promise<LargeIndex[]> {
  const { rows } = await client.query<LargeIndex>(
    `select indexrelid::regclass::text as name, pg_relation_size(indexrelid)::float8 as bytes
     from pg_index where indrelid = to_regclass('private.search_documents')
       and pg_relation_size(indexrelid) > greatest($1, 2 * pg_table_size(indrelid))`,
    [minBytes],
  );
  return rows;
}

/** A rebuild that was interrupted leaves an index that PostgreSQL updates but never reads. */
const UNFINISHED = `
  select indexrelid::regclass::text as name from pg_index
  where indrelid = to_regclass('private.search_documents') and not indisvalid`;
const IS_REBUILDING = `
  select exists (select from pg_stat_progress_create_index
    where relid = to_regclass('private.search_documents')) as is_rebuilding`;

/**
 * Rebuilds the large indexes while searches and saves continue, and resolves to their names. Does nothing while another
 * process rebuilds one. `client` must be connected as the owner.
 */
export async function rebuildLargeIndexes(
  client: pg.ClientBase,
  hasRoomFor: (bytes: number) => Promise<boolean>,
  minBytes = MIN_BYTES,
): Promise<string[]> {
  const { rows: progress } = await client.query<{ is_rebuilding: boolean }>(IS_REBUILDING);
  if (progress[0]?.is_rebuilding) return [];
  const { rows: unfinished } = await client.query<{ name: string }>(UNFINISHED);
  for (const { name } of unfinished) await client.query(`drop index concurrently if exists ${name}`);
  const rebuilt: string[] = [];
  for (const { name, bytes } of await largeSearchIndexes(client, minBytes)) {
    if (!(await hasRoomFor(bytes))) continue;
    await client.query(`reindex index concurrently ${name}`);
    rebuilt.push(name);
  }
  if (rebuilt.length > 0) await client.query("select private.resample()");
  return rebuilt;
}

/** Rebuilds large indexes every hour, until `stop` is called. `stop` cancels a rebuild. */
export function rebuildIndexesRegularly(
  connect: () => Promise<OwnerConnection>,
  hasRoomFor: (bytes: number) => Promise<boolean>,
  log: Log,
) {
  let pid: number | undefined;
  let running = Promise.resolve();
  async function run(): Promise<void> {
    await using client = await connect();
    pid = (await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid;
    const indexes = await rebuildLargeIndexes(client, hasRoomFor);
    if (indexes.length > 0) log.info({ indexes }, "search.indexes_rebuilt");
  }
  const timer = setInterval(() => {
    running = running
      .then(run)
      .catch((error: unknown) => log.warn({ reason: errorName(error) }, "search.rebuilding_failed"))
      .finally(() => {
        pid = undefined;
      });
  }, HOUR_MS).unref();
  return {
    async stop(): Promise<void> {
      clearInterval(timer);
      if (pid !== undefined) {
        await using client = await connect();
        await client.query("select pg_cancel_backend($1)", [pid]);
      }
      await running;
    },
  };
}
