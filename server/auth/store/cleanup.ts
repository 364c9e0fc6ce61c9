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
  ["webauthn_challenges", "expires_at < now()"],
  ["rate_limits", "expire < extract(epoch from now() - interval '1 hour') * 1000"],
];

/** Stops after the current batch if `signal` is aborted. */
export async function cleanUp(transaction: AuthTransaction, signal?: AbortSignal): Promise<void> {
  for (const [table, condition] of EXPIRED) {
    const text = `delete from auth.${table} where ctid in (select ctid from auth.${table}
      where ${condition} limit ${BATCH_ROWS} for update skip locked)`;
    let removed: number | null = BATCH_ROWS;
    while (removed === BATCH_ROWS && !signal?.aborted)
      removed = (await transaction((client) => client.query(text))).rowCount;
  }
  await removeOldInvitations(transaction, signal);
}

/** Removes expired invitation links and their emails. Throws what the transaction throws. */
async function removeOldInvitations(transaction: AuthTransaction, signal?: AbortSignal): Promise<void> {
  const text = "select private.remove_old_invitations() as removed";
  let removed = 1;
  while (removed > 0 && !signal?.aborted) {
    const { rows } = await transaction((client) => client.query<{ removed: number }>(text));
    removed = rows[0]?.removed ?? 0;
  }
}

/** Cleans up now and every hour, until `stop` is called. `stop` waits for the current batch. */
export function cleanUpRegularly(transaction: AuthTransaction, log: Log) {
  const stopping = new AbortController();
  const run = () =>
    cleanUp(transaction, stopping.signal).catch((error: unknown) => {
      log.warn({ reason: errorName(error) }, "cleanup.failed");
    });
  let running = run();
  const timer = setInterval(() => {
    running = run();
  }, HOUR_MS).unref();
  return {
    async stop(): Promise<void> {
      stopping.abort();
      clearInterval(timer);
      await running;
    },
  };
}
