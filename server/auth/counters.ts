import type { Database } from "../postgres/database.ts";

export type Counters = ReturnType<typeof createCounters>;

const NOW = "(extract(epoch from clock_timestamp()) * 1000)::bigint";
const MS_LEFT = `greatest(expire - ${NOW}, 1)::int`;

const WAIT = `select ${MS_LEFT} as wait from auth.rate_limits where key = $1 and expire > ${NOW} and points >= $2`;
const ADD = `insert into auth.rate_limits as known (key, points, expire) values ($1, 1, ${NOW} + $3)
  on conflict (key) do update set
    points = case when known.expire > ${NOW} then known.points + 1 else 1 end,
    expire = case when known.expire > ${NOW} then known.expire else excluded.expire end
  returning case when points > $2 then ${MS_LEFT} else 0 end as wait`;
const CLEAR = "delete from auth.rate_limits where key = $1";

/** Every process that shares the database counts on, and so does the next start. Waits are milliseconds, or 0. */
export function createCounters(database: Database) {
  async function run(text: string, values: unknown[]): Promise<number> {
    const { rows } = await database.transaction({ role: "supabase_auth_admin" }, (client) =>
      client.query<{ wait: number }>(text, values),
    );
    return rows[0]?.wait ?? 0;
  }
  return (name: string, { most, minutes }: { most: number; minutes: number }) => ({
    wait: (key: string, times = most) => run(WAIT, [`${name}:${key}`, times]),
    add: (key: string) => run(ADD, [`${name}:${key}`, most, minutes * 60_000]),
    clear: (key: string) => run(CLEAR, [`${name}:${key}`]),
  });
}
