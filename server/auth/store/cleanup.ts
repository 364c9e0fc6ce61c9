import { errorName } from "../../config/error-message.ts";
import type { Log } from "../../http/log.ts";
import type { AuthTransaction } from "../auth-env.ts";

const HOUR_MS = 3_600_000;
const BATCH_ROWS = 1000;

const EXPIRED = [
  // Used refresh tokens are kept for a month. If one is sent again in that time, but more than 10 seconds after
  // its use, it may have been stolen, and its session ends.
  ["refresh_tokens", "revoked and updated_at < now() - interval '30 days'"],
  ["sessions", "updated_at < now() - interval '90 days'"],
  ["one_time_tokens", "created_at < now() - interval '8 days'"],
  ["flow_state", "created_at < now() - interval '1 day'"],
  ["rate_limits", "expire < extract(epoch from now() - interval '1 hour') * 1000"],
];

export async function cleanUp(transaction: AuthTransaction): Promise<void> {
  for (const [table, condition] of EXPIRED) {
    const text = `delete from auth.${table} where ctid in (select ctid from auth.${table}
      where ${condition} limit ${BATCH_ROWS} for update skip locked)`;
    let removed: number | null = BATCH_ROWS;
    while (removed === BATCH_ROWS) removed = (await transaction((client) => client.query(text))).rowCount;
  }
}

export function cleanUpRegularly(transaction: AuthTransaction, log: Log): void {
  const run = () =>
    cleanUp(transaction).catch((error: unknown) => {
      log.warn({ reason: errorName(error) }, "cleanup.failed");
    });
  void run();
  setInterval(run, HOUR_MS).unref();
}
