import { errorName } from "../../config/error-message.ts";
import type { AuthServices } from "../services.ts";

const HOUR_MS = 3_600_000;
const BATCH_ROWS = 1000;

/** The time so long before `$1`. */
const before = (age: string) => `($1::timestamptz - interval '${age}')`;

const EXPIRED = [
  // Used tokens stay for a month, so that their reuse is noticed.
  { table: "refresh_tokens", key: "id", condition: `revoked and updated_at < ${before("30 days")}` },
  {
    table: "sessions",
    key: "id",
    condition: `updated_at < ${before("90 days")} or not_after < ${before("90 days")}`,
  },
  { table: "one_time_tokens", key: "id", condition: `created_at < ${before("8 days")} at time zone 'utc'` },
  { table: "flow_state", key: "id", condition: `created_at < ${before("1 day")}` },
  { table: "rate_limits", key: "key", condition: `expire < extract(epoch from ${before("1 hour")}) * 1000` },
];

type Services = Pick<AuthServices, "transaction" | "now">;

/** Removes what is of no use any more, in batches. Returns how many rows. */
export async function cleanUp({ transaction, now }: Services): Promise<number> {
  let removed = 0;
  for (const { table, key, condition } of EXPIRED) {
    const text = `delete from auth.${table} where ${key} in (select ${key} from auth.${table}
      where ${condition} limit ${BATCH_ROWS} for update skip locked)`;
    for (let last = BATCH_ROWS; last === BATCH_ROWS; removed += last) {
      last = await transaction(async (client) => (await client.query(text, [now()])).rowCount ?? 0);
    }
  }
  return removed;
}

export function cleanUpRegularly(services: Services & Pick<AuthServices, "log">): void {
  const run = () =>
    cleanUp(services).catch((error: unknown) => {
      services.log.warn("cleanup.failed", { reason: errorName(error) });
    });
  void run();
  setInterval(run, HOUR_MS).unref();
}
