import { errorName } from "../../config/error-message.ts";
import type { AuthServices } from "../services.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BATCH_ROWS = 1000;

interface Expired {
  table: string;
  key: string;
  condition: string;
  ageMs: number;
}

const EXPIRED: Expired[] = [
  // Used tokens stay for a month, so that their reuse is noticed.
  { table: "refresh_tokens", key: "id", condition: "revoked and updated_at < $1", ageMs: 30 * DAY_MS },
  { table: "sessions", key: "id", condition: "updated_at < $1 or not_after < $1", ageMs: 90 * DAY_MS },
  {
    table: "one_time_tokens",
    key: "id",
    condition: "created_at < $1::timestamptz at time zone 'utc'",
    ageMs: 8 * DAY_MS,
  },
  { table: "flow_state", key: "id", condition: "created_at < $1", ageMs: DAY_MS },
  {
    table: "rate_limits",
    key: "key",
    condition: "expire < extract(epoch from $1::timestamptz) * 1000",
    ageMs: HOUR_MS,
  },
];

type Services = Pick<AuthServices, "transaction" | "now">;

/** Removes what is of no use any more, in batches. Returns how many rows. */
export async function cleanUp({ transaction, now }: Services): Promise<number> {
  let removed = 0;
  for (const { table, key, condition, ageMs } of EXPIRED) {
    const text = `delete from auth.${table} where ${key} in (select ${key} from auth.${table}
      where ${condition} limit ${BATCH_ROWS} for update skip locked)`;
    for (let last = BATCH_ROWS; last === BATCH_ROWS; removed += last) {
      const before = new Date(now().getTime() - ageMs);
      last = await transaction(async (client) => (await client.query(text, [before])).rowCount ?? 0);
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
