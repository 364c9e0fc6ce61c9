import type { Database } from "../postgres/database.ts";

export type Counters = ReturnType<typeof createCounters>;

/** A limit of `count` events in a period of `minutes` minutes. */
export interface Rate {
  count: number;
  minutes: number;
}

const NOW_MS = "(extract(epoch from clock_timestamp()) * 1000)::bigint";
const REMAINING_MS = `greatest(expire - ${NOW_MS}, 1)::int`;

const WAIT = `select ${REMAINING_MS} as wait from auth.rate_limits
  where key = $1 and expire > ${NOW_MS} and points >= $2`;
const ADD = `insert into auth.rate_limits as known (key, points, expire) values ($1, 1, ${NOW_MS} + $3)
  on conflict (key) do update set
    points = case when known.expire > ${NOW_MS} then known.points + 1 else 1 end,
    expire = case when known.expire > ${NOW_MS} then known.expire else excluded.expire end
  returning case when points > $2 then ${REMAINING_MS} else 0 end as wait`;
const CLEAR = "delete from auth.rate_limits where key = $1";

/**
 * Counts events in the database, so that processes share the counts and a restart keeps them. The returned function
 * creates the counters of one limit. Each of its keys (such as an IP address) is counted separately: `wait` returns the
 * milliseconds until the next event is allowed, or 0. `add` counts an event, and returns 0 if the event is within the
 * limit, or the milliseconds until the period ends.
 */
export function createCounters(database: Database) {
  async function run(text: string, values: unknown[]): Promise<number> {
    const { rows } = await database.transaction({ role: "supabase_auth_admin" }, (client) =>
      client.query<{ wait: number }>(text, values),
    );
    return rows[0]?.wait ?? 0;
  }
  return (name: string, { count, minutes }: Rate) => ({
    wait: (key: string, limit = count) => run(WAIT, [`${name}:${key}`, limit]),
    add: (key: string) => run(ADD, [`${name}:${key}`, count, minutes * 60_000]),
    clear: (key: string) => run(CLEAR, [`${name}:${key}`]),
  });
}
