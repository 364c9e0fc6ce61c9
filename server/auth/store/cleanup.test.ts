import { randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import { afterAll, expect, test } from "vitest";
import { makeMember, startTestDatabase } from "../../../tests/support/database.ts";
import { cleanUp } from "./cleanup.ts";
import { createLinkToken } from "./link-tokens.ts";
import { refreshSession } from "./refresh-tokens.ts";
import { startSession } from "./sessions.ts";

const day = 24 * 3_600_000;
const start = new Date("2026-01-01T00:00:00Z");
const later = (days: number) => new Date(start.getTime() + days * day);

const database = await startTestDatabase();
afterAll(() => database.stop());

function transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
  return database.database.transaction({ role: "supabase_auth_admin" }, work);
}

async function rows(): Promise<Record<string, number>> {
  const tables = ["sessions", "refresh_tokens", "one_time_tokens", "flow_state", "rate_limits"];
  const counts = tables.map((table) => `(select count(*)::int from auth.${table}) as ${table}`);
  return (await database.admin.query(`select ${counts.join(", ")}`)).rows[0];
}

test("a cleanup removes the sessions and tokens that are of no use any more, and no others", async () => {
  const id = await makeMember(database.admin, "member@example.com");
  const { session } = await transaction((client) => startSession(client, id, start));
  const challenge = { method: "plain" as const, value: "v".repeat(43) };
  await transaction((client) =>
    createLinkToken(client, {
      user: { id, email: "member@example.com" },
      kind: "invite",
      challenge,
      now: start,
    }),
  );
  await database.admin.query("insert into auth.rate_limits values ('a', 1, $1)", [start.getTime()]);
  const used = await transaction((client) => refreshSession(client, session.refreshToken, later(1)));
  expect(used.outcome).toBe("refreshed");
  const full = { sessions: 1, refresh_tokens: 2, one_time_tokens: 1, flow_state: 1, rate_limits: 1 };
  expect(await rows()).toEqual(full);

  const cleanUpAt = (days: number) => cleanUp({ transaction, now: () => later(days) });
  expect(await cleanUpAt(0)).toBe(0);
  await cleanUpAt(2);
  expect(await rows()).toEqual({ ...full, flow_state: 0, rate_limits: 0 });
  await cleanUpAt(9);
  expect(await rows()).toMatchObject({ sessions: 1, refresh_tokens: 2, one_time_tokens: 0 });
  await cleanUpAt(32);
  expect(await rows()).toMatchObject({ sessions: 1, refresh_tokens: 1 });
  await cleanUpAt(92);
  expect(await rows()).toMatchObject({ sessions: 0, refresh_tokens: 0 });
});

test("a cleanup goes on in batches until everything is gone", async () => {
  const id = await makeMember(database.admin, "busy@example.com");
  await database.admin.query(
    `insert into auth.sessions (id, user_id, created_at, updated_at)
     select gen_random_uuid(), $1, $2, $2 from generate_series(1, 2500)`,
    [id, start],
  );
  await database.admin.query("insert into auth.sessions (id, user_id, updated_at) values ($1, $2, $3)", [
    randomUUID(),
    id,
    later(99),
  ]);
  expect(await cleanUp({ transaction, now: () => later(100) })).toBe(2500);
  expect(await rows()).toMatchObject({ sessions: 1 });
});
