import type { ClientBase } from "pg";

/** A limit of `count` events in a period of `minutes` minutes. */
export interface Rate {
  count: number;
  minutes: number;
}

/**
 * Counts events in the database, so that processes share the counts and a restart keeps them. Each key (such as an IP
 * address) is counted separately.
 */
export function createCounter(name: string, { count, minutes }: Rate) {
  async function run(client: ClientBase, text: string, values: unknown[]): Promise<number> {
    const { rows } = await client.query<{ wait: number }>(text, values);
    return rows[0]?.wait ?? 0;
  }
  return {
    /** Returns the milliseconds until the next event is allowed, or 0. `limit` replaces the counter's own limit. */
    wait: (client: ClientBase, key: string, limit = count) =>
      run(client, "select auth.wait_for_attempt($1, $2) as wait", [`${name}:${key}`, limit]),
    /** Counts an event. Returns 0 if it is within the limit, or the milliseconds until the period ends. */
    add: (client: ClientBase, key: string) =>
      run(client, "select auth.count_attempt($1, $2, $3) as wait", [
        `${name}:${key}`,
        count,
        minutes * 60_000,
      ]),
    clear: (client: ClientBase, key: string) =>
      run(client, "delete from auth.rate_limits where key = $1", [`${name}:${key}`]),
  };
}
