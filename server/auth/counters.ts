import type { Database } from "../postgres/database.ts";

export interface Count {
  times: number;
  msLeft: number;
}

export type Counters = ReturnType<typeof createCounters>;

const NEVER: Count = { times: 0, msLeft: 0 };
const NOW = "(extract(epoch from clock_timestamp()) * 1000)::bigint";
const COUNT = `points as times, (expire - ${NOW})::int as "msLeft"`;

const GET = `select ${COUNT} from auth.rate_limits where key = $1 and expire > ${NOW}`;
const ADD = `insert into auth.rate_limits as known (key, points, expire) values ($1, 1, ${NOW} + $2)
  on conflict (key) do update set
    points = case when known.expire > ${NOW} then known.points + 1 else 1 end,
    expire = case when known.expire > ${NOW} then known.expire else excluded.expire end
  returning ${COUNT}`;
const CLEAR = "delete from auth.rate_limits where key = $1";

/** Every process that shares the database counts on, and so does the next start. */
export function createCounters(database: Database) {
  async function run(text: string, values: unknown[]): Promise<Count> {
    const { rows } = await database.transaction({ role: "supabase_auth_admin" }, (client) =>
      client.query<Count>(text, values),
    );
    return rows[0] ?? NEVER;
  }
  return (name: string, windowMs: number) => ({
    get: (key: string) => run(GET, [`${name}:${key}`]),
    add: (key: string) => run(ADD, [`${name}:${key}`, windowMs]),
    clear: (key: string) => run(CLEAR, [`${name}:${key}`]),
  });
}
