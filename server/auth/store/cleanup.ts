import type { AuthServices } from "../services.ts";

const hour = 3_600_000;
const day = 24 * hour;
const batch = 1000;

/**
 * What is of no use any more, and since when. A used refresh token is kept for a month, so that its reuse is
 * still noticed; a session that nobody used for three months has ended.
 */
const prunings: [text: string, age: number][] = [
  [
    `delete from auth.refresh_tokens where id in (select id from auth.refresh_tokens
      where revoked and updated_at < $1 limit ${batch} for update skip locked)`,
    30 * day,
  ],
  [
    `delete from auth.sessions where id in (select id from auth.sessions
      where updated_at < $1 or not_after < $1 limit ${batch} for update skip locked)`,
    90 * day,
  ],
  [
    `delete from auth.one_time_tokens where id in (select id from auth.one_time_tokens
      where created_at < $1::timestamptz at time zone 'utc' limit ${batch} for update skip locked)`,
    8 * day,
  ],
  [
    `delete from auth.flow_state where id in (select id from auth.flow_state
      where created_at < $1 limit ${batch} for update skip locked)`,
    day,
  ],
  [
    `delete from auth.rate_limits where key in (select key from auth.rate_limits
      where expire < extract(epoch from $1::timestamptz) * 1000 limit ${batch} for update skip locked)`,
    hour,
  ],
];

/** Takes the services, removes what is of no use any more, a batch at a time. Returns how many rows that were. */
export async function prune({
  transaction,
  now,
}: Pick<AuthServices, "transaction" | "now">): Promise<number> {
  let removed = 0;
  for (const [text, age] of prunings) {
    for (let last = batch; last === batch; ) {
      const before = new Date(now().getTime() - age);
      last = await transaction(async (client) => (await client.query(text, [before])).rowCount ?? 0);
      removed += last;
    }
  }
  return removed;
}

/** Takes the services, prunes now and every hour, without keeping the process alive for it. */
export function pruneRegularly(services: AuthServices): void {
  const run = () =>
    prune(services).catch((error: unknown) => {
      services.log.warn("pruning failed", { reason: error instanceof Error ? error.name : typeof error });
    });
  void run();
  setInterval(run, hour).unref();
}
