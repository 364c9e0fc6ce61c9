import { LRUCache } from "lru-cache";
import type { Database } from "../postgres/database.ts";

export interface Count {
  times: number;
  msLeft: number;
}

interface Counter {
  get(key: string): Promise<Count>;
  add(key: string): Promise<Count>;
  clear(key: string): Promise<void>;
}

export type Counters = (name: string, windowMs: number) => Counter;

/** Bounds the memory, whatever is sent: beyond it the key that was seen least recently is forgotten. */
const MAX_KEYS = 10_000;
const NEVER: Count = { times: 0, msLeft: 0 };

export const memoryCounters: Counters = (_name, windowMs) => {
  const counts = new LRUCache<string, { times: number; until: number }>({ max: MAX_KEYS });
  const live = (key: string) => {
    const count = counts.get(key);
    return count !== undefined && count.until > Date.now() ? count : undefined;
  };
  return {
    async get(key) {
      const count = live(key);
      return count ? { times: count.times, msLeft: count.until - Date.now() } : NEVER;
    },
    async add(key) {
      const { times, until } = live(key) ?? { times: 0, until: Date.now() + windowMs };
      counts.set(key, { times: times + 1, until });
      return { times: times + 1, msLeft: until - Date.now() };
    },
    async clear(key) {
      counts.delete(key);
    },
  };
};

const NOW = "(extract(epoch from clock_timestamp()) * 1000)::bigint";
const COUNT = `points as times, (expire - ${NOW})::int as "msLeft"`;

export function databaseCounters(database: Database): Counters {
  const run = async (text: string, values: unknown[]): Promise<Count> => {
    const result = await database.transaction({ role: "supabase_auth_admin" }, (client) =>
      client.query<Count>(text, values),
    );
    return result.rows[0] ?? NEVER;
  };
  return (name, windowMs) => ({
    get: (key) =>
      run(`select ${COUNT} from auth.rate_limits where key = $1 and expire > ${NOW}`, [`${name}:${key}`]),
    add: (key) =>
      run(
        `insert into auth.rate_limits as known (key, points, expire) values ($1, 1, ${NOW} + $2)
        on conflict (key) do update set
          points = case when known.expire > ${NOW} then known.points + 1 else 1 end,
          expire = case when known.expire > ${NOW} then known.expire else excluded.expire end
        returning ${COUNT}`,
        [`${name}:${key}`, windowMs],
      ),
    async clear(key) {
      await run("delete from auth.rate_limits where key = $1", [`${name}:${key}`]);
    },
  });
}
