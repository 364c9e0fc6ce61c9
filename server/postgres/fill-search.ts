import { setImmediate as nextTurn } from "node:timers/promises";
import { errorName } from "../config/error-message.ts";
import type { Log } from "../http/log.ts";
import type { Database } from "./database.ts";

/** Few enough that a step with the longest texts ends before its timeout. */
const ROWS_PER_STEP = 50;

/**
 * Indexes the rows that a migration has left for the searches, newest first, until none is left or `stop` is called.
 * Meanwhile, searches find the rows that are indexed already.
 */
export function fillSearch(database: Database, log: Log) {
  let isStopped = false;
  async function run(): Promise<void> {
    const step = async () => {
      const { rows } = await database.transaction({ role: "service_role" }, (client) =>
        client.query<{ indexed: number }>("select public.fill_search($1) as indexed", [ROWS_PER_STEP]),
      );
      return rows[0]?.indexed ?? 0;
    };
    let total = 0;
    while (!isStopped) {
      const indexed = await step();
      if (indexed === 0) break;
      total += indexed;
      await nextTurn();
    }
    if (total > 0) log.info({ rows: total }, "search.filled");
  }
  const running = run().catch((error: unknown) => {
    log.warn({ reason: errorName(error) }, "search.filling_failed");
  });
  return {
    async stop(): Promise<void> {
      isStopped = true;
      await running;
    },
  };
}
